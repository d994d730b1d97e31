import { useQuery } from '@tanstack/react-query'
import { type MetaFunction, useMatches } from 'react-router'
import { IN_FORCE_SINCE, POLICIES, policyNames } from '#content/policies/policies.ts'
import type { Policy } from '#content/policies/policy.ts'
import { browserClient } from '#web/api/client.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { siteQuery } from '#web/shell/queries.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Prose } from '#web/ui/prose.tsx'
import styles from './policy.module.css'

/** Until the settings are loaded, and when they cannot be, as after a change of page without a network. */
const UNKNOWN_SITE = { app_name: 'this server', operator_name: 'the operators of this server', operator_email: null }

/** The policy whose route was matched: a route's id is the policy's path without the slash. */
function policyOf(matches: readonly ({ id: string } | undefined)[]): Policy {
  const policy = POLICIES.find(({ path }) => matches.some((match) => match && `/${match.id}` === path))
  if (policy === undefined) throw new Error('No policy has this address.')
  return policy
}

/** One of the three policies: what to remember, contents, numbered sections with anchors. It prints without the shell. */
export default function PolicyPage() {
  const { title, path, write } = policyOf(useMatches())
  const { data: site } = useQuery(siteQuery(browserClient))
  const { about, inShort, sections } = write(policyNames(site ?? UNKNOWN_SITE))
  return (
    <>
      <PageHead crumb={title} title={title} lines={[about, <span key="since">In force since {IN_FORCE_SINCE}</span>]} />
      <div className={styles.policy}>
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
              <section key={section.id} id={section.id} className={styles.section}>
                <h2>
                  <a href={`#${section.id}`} className={styles.number} aria-label={`Section ${i + 1}`}>
                    {i + 1}
                  </a>
                  {section.title}
                </h2>
                <Prose blocks={section.blocks} classes={styles} />
              </section>
            ))}
            <p className={styles.others}>
              {POLICIES.filter((other) => other.path !== path).map((other) => (
                <Link key={other.path} to={other.path} className={styles.link}>
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

export const meta: MetaFunction = ({ matches }) => {
  const { title, path, write } = policyOf(matches)
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { appName: string } | undefined
  const app = root?.appName ?? 'this server'
  const { about } = write({ app, operator: `the operators of ${app}`, contact: '' })
  return pageMeta(matches, { crumb: title, description: about, path })
}
