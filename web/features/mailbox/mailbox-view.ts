/** The parameter of /mailbox that names a letter. The server sends the same HTML for every value. */
export const letterSearch = {
  names: ['letter'],
  read: (query: URLSearchParams) => {
    const text = query.get('letter') ?? ''
    return { letter: /^\d{1,15}$/.test(text) ? Number(text) : null }
  },
}

/** Returns the address of a letter. */
export const getLetterPath = (letter: number) => `/mailbox?letter=${letter}`
