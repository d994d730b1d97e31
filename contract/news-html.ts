/** What the text of a news item may contain: the site keeps nothing else, and the desk's editor makes nothing else. */
export const NEWS_TAGS = {
  /** What the editor shows and makes. */
  editor: [
    ...[
      'p',
      'br',
      'hr',
      'h2',
      'h3',
      'h4',
      'strong',
      'b',
      'em',
      'i',
      'u',
      's',
      'small',
      'sub',
      'sup',
      'mark',
      'code',
      'pre',
    ],
    ...['ul', 'ol', 'li', 'blockquote', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  /** What is also kept; such a text is edited as HTML. */
  html: ['dl', 'dt', 'dd', 'figure', 'figcaption', 'caption', 'tfoot'],
} as const
