import styles from './club-crest.module.css'

/** The divisions of a crest's field, selected by the club's id. */
const FIELDS = [
  'M0 0H32V76H0Z',
  'M0 0H64V34H0Z',
  'M0 76V46L32 22 64 46V76Z',
  'M0 0 64 64V0Z',
  'M22 0H42V76H22Z',
  'M0 24H64V46H0Z',
  'M0 76 64 0H64V76Z',
]
/** The outlines of crests. The club's id selects one independently of the field. */
const SHIELDS = [
  'M4 4H60V40C60 58 46 68 32 74 18 68 4 58 4 40Z',
  'M32 3 61 20V56L32 75 3 56V20Z',
  'M32 6A32 33 0 1 1 31.9 6Z',
  'M4 4H60V74L32 60 4 74Z',
  'M4 12Q18 14 32 3 46 14 60 12V44Q58 64 32 75 6 64 4 44Z',
]

type ClubCrestProps = { club: { GuNum: number; GuName: string; mark: string | null }; size: number }

/**
 * A club's crest in the colors of the school that an element around it sets: its mark from the game on a field, or a divided field with the
 * club's initials. Clubs with consecutive ids differ in outline, field and order of the colors.
 */
export function ClubCrest({ club: { GuNum, GuName, mark }, size }: ClubCrestProps) {
  const id = `club-${GuNum}-${size}`
  const shield = SHIELDS[GuNum % SHIELDS.length]
  const drawing = (
    <svg
      className={styles.crest}
      width={(size * 64) / 76}
      height={size}
      viewBox="0 0 64 78"
      data-swapped={GuNum % 2 === 1 || undefined}
      aria-hidden="true"
    >
      <clipPath id={id}>
        <path d={shield} />
      </clipPath>
      <g clipPath={`url(#${id})`}>
        <path className={styles.ground} d="M0 0H64V78H0Z" />
        {mark === null && <path className={styles.field} d={FIELDS[GuNum % FIELDS.length]} />}
      </g>
      <path className={styles.edge} d={shield} />
      {mark === null && (
        <text x="32" y="47" textAnchor="middle">
          {getInitials(GuName)}
        </text>
      )}
    </svg>
  )
  if (mark === null) return drawing
  return (
    <span className={styles.withMark}>
      {drawing}
      <img src={mark} alt="" width="16" height="11" loading="lazy" />
    </span>
  )
}

/** Returns the initials of the first two words, or of the only word. */
const getInitials = (name: string) =>
  name
    .split(/[\s-]+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
