/** Drawn on a 24 grid with mitred strokes. */
const SHAPES = {
  page: 'M3 8.5h4L17 3v18L7 15.5H3ZM7 15.5 9 21h3l-1.6-3.6M20 9.5v5',
  agent: 'M3 4h18v12.5H11L6 21v-4.5H3ZM7.5 10.2h1.6M11.2 10.2h1.6M14.9 10.2h1.6',
  feed: 'M4 4a16 16 0 0 1 16 16M4 10.5A9.5 9.5 0 0 1 13.5 20M4 17.5h2.6V20H4Z',
  ticket: 'M3 6h18v4a2 2 0 0 0 0 4v4H3v-4a2 2 0 0 0 0-4ZM14.5 6v2.5M14.5 10.8v2.4M14.5 15.5V18',
} as const

/** What kind of place it is. Decorative: the words beside it say it. */
export function SocialIcon({ name }: { name: keyof typeof SHAPES }) {
  return (
    <svg
      width="36"
      height="36"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      aria-hidden="true"
    >
      <path d={SHAPES[name]} />
    </svg>
  )
}
