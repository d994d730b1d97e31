/** Escapes the wildcards of a like-pattern in typed text. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
