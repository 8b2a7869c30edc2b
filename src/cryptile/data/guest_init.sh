#!/bin/busybox sh
# Copyright Cryptile contributors.
# Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
# (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
#
# shellcheck shell=dash
#
# The guest's first process: loads modules, runs /run/script or a shell, switches the machine off.
# The host takes the script's output from the first port of a virtio console, its status from the
# second.
/bin/busybox --install -s /bin
export PATH=/bin HOME=/root
mkdir -p /proc /sys /dev /tmp /root
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
cd /root || exit

loaded=0
while read -r module; do
  insmod "/modules/$module.ko" || { loaded=$?; echo "init: $module does not load" >&2; }
done </modules/order

if [ "$loaded" != 0 ]; then
  echo "$loaded" >/dev/vport0p2
elif [ -e /run/script ]; then
  /bin/sh /run/script >/dev/vport0p1
  echo $? >/dev/vport0p2
else
  setsid cttyhack sh
fi
poweroff -f
