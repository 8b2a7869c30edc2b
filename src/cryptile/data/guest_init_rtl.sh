#!/bin/busybox sh
# Copyright Cryptile contributors.
# Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
# (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
#
# shellcheck shell=dash
#
# The first process of the cycle-true system. What is above "host save" runs once: the simulation's
# state is saved there, and each run starts from it with an archive of its own, of modules, files and
# a script. Its output and its status go back to the host.
/bin/busybox --install -s /bin
export PATH=/bin HOME=/root
mkdir -p /proc /sys /dev /tmp /root /run
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t debugfs debug /sys/kernel/debug
cd / || exit

echo 'init: ready'
host save
host take | cpio -idu 2>/dev/null

loaded=0
while read -r module; do
  insmod "/modules/$module.ko" || { loaded=$?; echo "init: $module does not load" >&2; }
done </modules/order

if [ "$loaded" != 0 ]; then
  host give "$loaded" </dev/null
fi
cd /root || exit
/bin/sh /run/script >/run/output
host give $? </run/output
