/** What a ready-made answer can leave open, with what it stands for. */
export const ANSWER_VARIABLES = {
  player: 'The user ID; for a guest “there”',
  ticket: 'The ticket’s number',
  subject: 'The ticket’s subject',
  character: 'The character it is about; without one “your character”',
  me: 'Your name as support',
} as const
export type AnswerVariable = keyof typeof ANSWER_VARIABLES

const PATTERN = /\{(\w+)\}/g

/** The variables of a text that do not exist, as they are written. */
export function findUnknownVariables(body: string): string[] {
  return [...body.matchAll(PATTERN)].filter(([, name = '']) => !(name in ANSWER_VARIABLES)).map(([whole]) => whole)
}

/** A ready-made answer with its variables filled in. */
export function fillIn(body: string, values: Record<AnswerVariable, string>): string {
  return body.replace(PATTERN, (whole, name: string) => (name in values ? values[name as AnswerVariable] : whole))
}
