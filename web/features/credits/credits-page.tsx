import { FONTS, ICON_AUTHORS, SOFTWARE } from '#content/credits.ts'
import { Crest } from '#web/art/crest.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import layout from '#web/ui/layout.module.css'
import { OwnOrForeignLink } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import styles from './credits.module.css'

const OFL = 'https://openfontlicense.org'
const CC_BY = 'https://creativecommons.org/licenses/by/3.0/'

/** What is our own, then fonts, icons with their authors, and software. */
export default function CreditsPage() {
  return (
    <>
      <PageHead
        crumb="Credits"
        title="Credits"
        lines={['Nobody builds a tambayan alone. These people lent us their work.']}
      />
      <div className={`${layout.panels} ${text.links}`}>
        <Own />
        <Fonts />
        <Icons />
        <Libraries />
      </div>
    </>
  )
}

function Own() {
  return (
    <Panel index={1} title="Drawn here">
      <div className={styles.own}>
        <div className={styles.crests}>
          {([0, 1, 2] as const).map((school) => (
            <Crest key={school} school={school} size={84} />
          ))}
        </div>
        <p>
          Apart from what is named below, all art is our own: crests, class emblems, banners, posters, scenes, the{' '}
          <a href="/story#map">world map</a>, the coins. So are the story, the names, the guides and the news. None of
          it comes from another game.
        </p>
      </div>
    </Panel>
  )
}

function Fonts() {
  return (
    <Panel index={2} title="Fonts">
      <ul className={styles.fonts}>
        {FONTS.map(({ name, authors, use, page, display }) => (
          <li key={name}>
            <p className={display ? styles.display : styles.reading}>{name}</p>
            <p>
              {use}. By {authors}, <OwnOrForeignLink to={OFL}>SIL Open Font License 1.1</OwnOrForeignLink>,{' '}
              <OwnOrForeignLink to={page}>source of {name}</OwnOrForeignLink>.
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Icons() {
  return (
    <Panel index={3} title="Icons">
      <div className={styles.icons}>
        <p>
          The things in the shop and the skills in the class guide are icons of{' '}
          <OwnOrForeignLink to="https://game-icons.net">game-icons.net</OwnOrForeignLink>, licensed{' '}
          <OwnOrForeignLink to={CC_BY}>CC BY 3.0</OwnOrForeignLink>. We removed their black squares, coloured them and
          put them on backgrounds of our own.
        </p>
        <ul>
          {ICON_AUTHORS.map(({ name, page, icons }) => (
            <li key={name}>
              <h3>
                <OwnOrForeignLink to={page}>{name}</OwnOrForeignLink>
                <span className={styles.count}>
                  {icons.length} {icons.length === 1 ? 'icon' : 'icons'}
                </span>
              </h3>
              <p>{icons.map((icon) => icon.replaceAll('-', ' ')).join(', ')}</p>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function Libraries() {
  return (
    <Panel index={4} title="Software">
      <ul className={styles.software}>
        {SOFTWARE.map(({ name, licence, does }) => (
          <li key={name}>
            <h3>
              <OwnOrForeignLink to={`https://www.npmjs.com/package/${name}`}>{name}</OwnOrForeignLink>
            </h3>
            <p>{does}</p>
            <p className={styles.licence}>{licence}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
