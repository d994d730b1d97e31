import styles from './club-crest.module.css'

/** What divides the field of a crest; a club's number chooses. */
const FIELDS = [
  'M0 0H32V76H0Z',
  'M0 0H64V34H0Z',
  'M0 76V46L32 22 64 46V76Z',
  'M0 0 64 64V0Z',
  'M22 0H42V76H22Z',
  'M0 24H64V46H0Z',
  'M0 76 64 0H64V76Z',
]
const SHIELD = 'M4 4H60V40C60 58 46 68 32 74 18 68 4 58 4 40Z'

type ClubCrestProps = { club: { GuNum: number; GuName: string }; size: number }

/** A club's crest: a shield in the colours of the school around it, with the first letters of its name. */
export function ClubCrest({ club: { GuNum, GuName }, size }: ClubCrestProps) {
  const id = `club-${GuNum}-${size}`
  return (
    <svg className={styles.crest} width={(size * 64) / 76} height={size} viewBox="0 0 64 78" aria-hidden="true">
      <clipPath id={id}>
        <path d={SHIELD} />
      </clipPath>
      <g clipPath={`url(#${id})`}>
        <path className={styles.ground} d="M0 0H64V78H0Z" />
        <path className={styles.field} d={FIELDS[GuNum % FIELDS.length]} />
      </g>
      <path className={styles.edge} d={SHIELD} />
      <text x="32" y="47" textAnchor="middle">
        {getInitials(GuName)}
      </text>
    </svg>
  )
}

/** The first letters of the first two words, or the first letter of the only one. */
const getInitials = (name: string) =>
  name
    .split(/[\s-]+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
