/** The parameter of /mailbox that names a letter. The document is the same for every address. */
export const letterSearch = {
  names: ['letter'],
  read: (query: URLSearchParams) => {
    const text = query.get('letter') ?? ''
    return { letter: /^\d{1,15}$/.test(text) ? Number(text) : null }
  },
}

/** Returns the address of a letter. */
export const getLetterPath = (letter: number) => `/mailbox?letter=${letter}`
