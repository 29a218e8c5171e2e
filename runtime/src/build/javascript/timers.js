// Before anything else: promise-polyfill looks for a timer when it is loaded.

globalThis.setTimeout ??= () => {};
