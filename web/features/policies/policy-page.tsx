import { useLocation } from 'react-router'
import type { DocumentContent } from '#contract/documents.ts'
import { getFirstSegment } from '#web/api/page.ts'
import { DocumentPage } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { HtmlText } from '#web/ui/html-text.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import styles from './policy.module.css'

/** The policies with their titles (MENU-4), in the order of the links between them. */
const POLICIES = {
  operationpolicy: 'Operation Policy',
  privacypolicy: 'Privacy Policy',
  gamecashagreement: 'Game Cash Agreement',
} as const

type PolicyName = keyof typeof POLICIES
const POLICY_NAMES = Object.keys(POLICIES) as PolicyName[]

/** The page of a policy: summary, contents, numbered sections with anchors. It prints without the shell. */
export default function PolicyPage() {
  const pathSegment = getFirstSegment(useLocation().pathname)
  const name = POLICY_NAMES.find((policy) => policy === pathSegment)
  if (name === undefined) throw new Error('No policy has this address.')
  const title = POLICIES[name]
  return (
    <DocumentPage name={name} title={title}>
      {(policy) => <Policy name={name} title={title} policy={policy} />}
    </DocumentPage>
  )
}

type PolicyProps = { name: PolicyName; title: string; policy: DocumentContent<PolicyName> }

function Policy({ name, title, policy: { about, since, in_short, sections } }: PolicyProps) {
  return (
    <>
      <PageHead
        crumb={title}
        title={title}
        lines={[...(about === '' ? [] : [about]), ...(since === '' ? [] : [`In force since ${since}`])]}
      />
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
            {in_short.length > 0 && (
              <section className={styles.summary} aria-labelledby="in-short">
                <h2 id="in-short">In short</h2>
                <ul>
                  {in_short.map(({ line }) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
                <p>Only the full text of this page is binding.</p>
              </section>
            )}
            {sections.map((section, i) => (
              <section key={section.id} id={section.id} className={`${layout.stack} ${styles.section}`}>
                <h2>
                  <a href={`#${section.id}`} className={styles.number} aria-label={`Section ${i + 1}`}>
                    {i + 1}
                  </a>
                  {section.title}
                </h2>
                <HtmlText className={`${layout.stack} ${text.links} ${styles.prose}`} html={section.text} />
              </section>
            ))}
            <p className={styles.otherPolicies}>
              {POLICY_NAMES.filter((otherName) => otherName !== name).map((otherName) => (
                <Link key={otherName} to={`/${otherName}`} className={text.link}>
                  {POLICIES[otherName]}
                </Link>
              ))}
            </p>
          </article>
        </Panel>
      </div>
    </>
  )
}
