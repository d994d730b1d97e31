/** What an operator's command answers: the lines to print, and whether it succeeded. */
export type CommandAnswer = { ok: boolean; lines: string[] }

/** A command that did nothing, and why. */
export const fail = (line: string): CommandAnswer => ({ ok: false, lines: [line] })
