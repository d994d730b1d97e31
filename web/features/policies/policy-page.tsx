import { useLoaded } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { siteQuery } from '#web/shell/shell-data.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './policy.module.css'
import { PolicyBlocks } from './policy-blocks.tsx'
import { IN_FORCE_SINCE, type Policy, type PolicyNames, policyNames } from './policy-types.ts'

const OTHERS = [
  { title: 'Operation Policy', path: '/operationpolicy' },
  { title: 'Privacy Policy', path: '/privacypolicy' },
  { title: 'Game Cash Agreement', path: '/gamecashagreement' },
] as const

/** While the settings are on their way, as after a change of page without a network. */
const UNKNOWN_SITE = { app_name: 'this server', operator_name: 'the operators of this server', operator_email: null }

/** One of the three policies: what to remember, contents, numbered sections with anchors; it prints without the shell. */
export function PolicyPage({ write }: { write: (names: PolicyNames) => Policy }) {
  const { data: site } = useLoaded(siteQuery())
  const policy = write(policyNames(site ?? UNKNOWN_SITE))
  return (
    <>
      <PageHead
        crumb={policy.title}
        title={policy.title}
        lines={[policy.about, <span key="since">In force since {IN_FORCE_SINCE}</span>]}
      />
      <div className={styles.policy}>
        <div className={styles.side}>
          <Panel title="Contents">
            <nav aria-label="Contents">
              <ol className={styles.contents}>
                {policy.sections.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
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
                {policy.inShort.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <p>The rest of this page is what counts.</p>
            </section>
            {policy.sections.map(({ id, title, blocks }, i) => (
              <section key={id} id={id} className={styles.section}>
                <h2>
                  <a href={`#${id}`} className={styles.number} aria-label={`Section ${i + 1}`}>
                    {i + 1}
                  </a>
                  {title}
                </h2>
                <PolicyBlocks blocks={blocks} />
              </section>
            ))}
            <p className={styles.others}>
              {OTHERS.filter(({ path }) => path !== policy.path).map(({ title, path }) => (
                <Link key={path} to={path} className={styles.link}>
                  {title}
                </Link>
              ))}
            </p>
          </article>
        </Panel>
      </div>
    </>
  )
}
