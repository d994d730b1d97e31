import { FONTS, ICON_AUTHORS, SOFTWARE } from '#content/credits.ts'
import { useDocument } from '#web/api/documents.ts'
import { Crest } from '#web/art/crest.tsx'
import { getLines } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { HtmlText } from '#web/ui/html-text.tsx'
import layout from '#web/ui/layout.module.css'
import { SiteOrExternalLink } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { Count } from '#web/ui/value.tsx'
import styles from './credits.module.css'

const OFL_URL = 'https://openfontlicense.org'
const CC_BY_URL = 'https://creativecommons.org/licenses/by/3.0/'

/** The credits: the site's own works, then fonts, icons with their authors, and software (LOOK-4). */
export default function CreditsPage() {
  const credits = useDocument('credits')
  // The page credits works of others even if the operators have not written a text.
  const index = credits?.own ? 2 : 1
  return (
    <>
      <PageHead crumb="Credits" title="Credits" lines={getLines(credits?.lines ?? [])} />
      <div className={`${layout.panels} ${text.links}`}>
        {credits?.own && <OwnWorks html={credits.own} />}
        <Fonts index={index} />
        <Icons index={index + 1} />
        <Libraries index={index + 2} />
      </div>
    </>
  )
}

function OwnWorks({ html }: { html: string }) {
  return (
    <Panel index={1} title="Drawn here">
      <div className={styles.ownWorks}>
        <div className={styles.crests}>
          {([0, 1, 2] as const).map((school) => (
            <Crest key={school} school={school} size={84} />
          ))}
        </div>
        <HtmlText html={html} />
      </div>
    </Panel>
  )
}

function Fonts({ index }: { index: number }) {
  return (
    <Panel index={index} title="Fonts">
      <ul className={styles.fonts}>
        {FONTS.map(({ name, authors, use, page, display }) => (
          <li key={name}>
            <p className={display ? styles.displayFont : styles.readingFont}>{name}</p>
            <p>
              {use}. By {authors}, <SiteOrExternalLink to={OFL_URL}>SIL Open Font License 1.1</SiteOrExternalLink>,{' '}
              <SiteOrExternalLink to={page}>source of {name}</SiteOrExternalLink>.
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Icons({ index }: { index: number }) {
  return (
    <Panel index={index} title="Icons">
      <div className={styles.icons}>
        <p>
          The things in the shop and the skills in the class guide are icons of{' '}
          <SiteOrExternalLink to="https://game-icons.net">game-icons.net</SiteOrExternalLink>, licensed{' '}
          <SiteOrExternalLink to={CC_BY_URL}>CC BY 3.0</SiteOrExternalLink>. We removed their black squares, coloured
          them and put them on backgrounds of our own.
        </p>
        <ul>
          {ICON_AUTHORS.map(({ name, page, icons }) => (
            <li key={name}>
              <h3>
                <SiteOrExternalLink to={page}>{name}</SiteOrExternalLink>
                <Count of={icons.length} unit="icon" className={styles.count} />
              </h3>
              <p>{icons.map((icon) => icon.replaceAll('-', ' ')).join(', ')}</p>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function Libraries({ index }: { index: number }) {
  return (
    <Panel index={index} title="Software">
      <ul className={styles.software}>
        {SOFTWARE.map(({ name, licence, does }) => (
          <li key={name}>
            <h3>
              <SiteOrExternalLink to={`https://www.npmjs.com/package/${name}`}>{name}</SiteOrExternalLink>
            </h3>
            <p>{does}</p>
            <p className={styles.licence}>{licence}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
