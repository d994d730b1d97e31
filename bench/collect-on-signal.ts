/** Loaded into the site by memory.ts, so that it can ask for a garbage collection from outside. */
process.on('SIGUSR2', () => globalThis.gc?.())
