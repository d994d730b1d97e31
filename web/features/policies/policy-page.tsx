import { useLocation } from 'react-router'
import { IN_FORCE_SINCE, POLICIES } from '#content/policies.ts'
import { firstSegment } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { siteQuery } from '#web/shell/shell-data.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Prose } from '#web/ui/prose.tsx'
import text from '#web/ui/text.module.css'
import { fillNames, policyNames } from './names.ts'
import styles from './policy.module.css'

const PROSE = { ...styles, link: `${text.link} ${styles.link}` }

/** Until the settings are loaded, and when they cannot be, as after a change of page without a network. */
const UNKNOWN_SITE = { app_name: 'this server', operator_name: 'the operators of this server', operator_email: null }

/** One of the three policies: what to remember, contents, numbered sections with anchors. It prints without the shell. */
export default function PolicyPage() {
  const here = firstSegment(useLocation().pathname)
  const policy = POLICIES.find(({ path }) => path === `/${here}`)
  if (policy === undefined) throw new Error('No policy has this address.')
  const { data: site } = useLoaded(siteQuery())
  const { title, path, about, inShort, sections } = fillNames(policy, policyNames(site ?? UNKNOWN_SITE))
  return (
    <>
      <PageHead crumb={title} title={title} lines={[about, <span key="since">In force since {IN_FORCE_SINCE}</span>]} />
      <div className={`${layout.panels} ${styles.policy}`}>
        <div className={styles.side}>
          <Panel title="Contents">
            <nav aria-label="Contents">
              <ol className={styles.contents}>
                {sections.map((section) => (
                  <li key={section.id}>
                    <a href={`#${section.id}`}>{section.title}</a>
                  </li>
                ))}
              </ol>
            </nav>
          </Panel>
        </div>
        <Panel>
          <article className={styles.article}>
            <section className={styles.short} aria-labelledby="in-short">
              <h2 id="in-short">In short</h2>
              <ul>
                {inShort.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <p>The rest of this page is what counts.</p>
            </section>
            {sections.map((section, i) => (
              <section key={section.id} id={section.id} className={`${layout.stack} ${styles.section}`}>
                <h2>
                  <a href={`#${section.id}`} className={styles.number} aria-label={`Section ${i + 1}`}>
                    {i + 1}
                  </a>
                  {section.title}
                </h2>
                <Prose blocks={section.blocks} classes={PROSE} />
              </section>
            ))}
            <p className={styles.others}>
              {POLICIES.filter((other) => other.path !== path).map((other) => (
                <Link key={other.path} to={other.path} className={`${text.link} ${styles.link}`}>
                  {other.title}
                </Link>
              ))}
            </p>
          </article>
        </Panel>
      </div>
    </>
  )
}
