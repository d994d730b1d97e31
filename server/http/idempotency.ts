export type OnceRequest = { owner: string; key: string | null; content: string }
export type Outcome<Answer> = { answer: Answer } | { refused: string }
