/** Escapes the wildcards of a like-pattern, for text that somebody typed. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
