import type { CartLine } from '#contract/cart.ts'

/** One press on a line: a step of its quantity, or its check box. */
export type CartChange = { seq: number; ProductNum: number } & ({ step: 1 | -1 } | { step: 'check' })

/** The cart as it will be after a change; one less of one removes the line (DECISIONS §3 updateQuantity). */
export function applyChange(lines: readonly CartLine[], { seq, step }: CartChange): CartLine[] {
  return lines.flatMap((line): CartLine[] => {
    if (line.seq !== seq) return [line]
    if (step === 'check') return [{ ...line, isChecked: line.isChecked === 1 ? 0 : 1 }]
    const quantity = line.quantity + step
    return quantity < 1 ? [] : [{ ...line, quantity }]
  })
}

/** Takes a failed change back without touching the others; a line that was removed comes back where it stood. */
export function revertChange(lines: readonly CartLine[], change: CartChange, before: CartLine | undefined): CartLine[] {
  if (lines.some(({ seq }) => seq === change.seq)) {
    return applyChange(lines, { ...change, step: change.step === 'check' ? 'check' : change.step === 1 ? -1 : 1 })
  }
  return before === undefined ? [...lines] : [...lines, before].sort((a, b) => a.seq - b.seq)
}
