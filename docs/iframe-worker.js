// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Search on pages that are opened from disk, where browsers start no workers: a worker's script
// runs in a frame of its own instead, with a worker's postMessage() and importScripts().
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      const load = (source) =>
        new Promise((resolve, reject) => {
          const script = inside.document.createElement("script");
          script.onload = resolve;
          script.onerror = reject;
          script.src = source;
          inside.document.head.append(script);
        });
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...sources) =>
        sources.reduce((done, source) => done.then(() => load(source)), Promise.resolve());
      this.ready = load(url);
    }

    postMessage(data) {
      const inside = this.frame.contentWindow;
      const event = () => inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      this.ready.then(event).catch(console.error);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
