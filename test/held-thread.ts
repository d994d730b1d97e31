/** Indexes in the memory shared with held threads: whether they may continue, and their number. */
export const GATE_INDEX = { open: 0, held: 1, size: 2 }

/** Blocks a worker thread until its gate opens. Run in a thread pool to keep it busy. */
export function hold(gate: Int32Array): void {
  Atomics.add(gate, GATE_INDEX.held, 1)
  Atomics.wait(gate, GATE_INDEX.open, 0)
}
