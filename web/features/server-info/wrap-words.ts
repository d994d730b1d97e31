/** A sentence in lines of at most `letters` letters, broken between words. A longer word stands alone. */
export function wrapWords(sentence: string, letters: number): string[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
