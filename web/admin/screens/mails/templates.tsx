import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { getMailTemplates, sendTestMail, testMailFields } from '#contract/mails.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { DeskField } from '../../kit/fields.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './mails.module.css'

/** Shows each mail with sample data, and sends a test of one. */
export function Screen() {
  const may = useMay()
  const templates = useCall(getMailTemplates, {})
  const [query, setQuery] = useSearchParams()
  const [isTesting, setTesting] = useState(false)
  return (
    <RecordPage
      back={{ to: '/admin/mail', label: 'Mail' }}
      title="Email templates"
      actions={may('mails.write') && !isTesting && <Button onClick={() => setTesting(true)}>Send a test</Button>}
    >
      <Loaded result={templates} height={640}>
        {({ rows }) => {
          const template = rows.find(({ name }) => name === query.get('mail')) ?? rows[0]
          if (template === undefined) return null
          return (
            <>
              <div className={styles.choice}>
                <DeskField
                  field={{ kind: 'choice', label: 'Email', options: rows.map(({ name, title }) => [name, title]) }}
                  value={template.name}
                  onChange={(mail: string) => setQuery({ mail })}
                />
              </div>
              {isTesting && (
                <DeskForm
                  key={template.name}
                  endpoint={sendTestMail}
                  fields={testMailFields}
                  show={['to']}
                  values={{ template: template.name }}
                  submitLabel={`Send “${template.title}”`}
                  successMessage="The test is on its way."
                  onDone={() => setTesting(false)}
                  onCancel={() => setTesting(false)}
                />
              )}
              <Panel title={template.subject}>
                {/* The frame blocks scripts, links and access to the site's origin. */}
                <iframe
                  className={styles.frame}
                  sandbox=""
                  srcDoc={template.html}
                  title={`The email “${template.title}”`}
                />
              </Panel>
              <Panel title="As plain text">
                <pre className={styles.text}>{template.text}</pre>
              </Panel>
            </>
          )
        }}
      </Loaded>
    </RecordPage>
  )
}
