/** Escapes the wildcards of SQL's LIKE in a text that a person typed. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
