import { useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { getMailServer, mailServerFields, tryMailServer, useMailServer } from '#contract/mail-server.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, When } from '../../kit/facts.tsx'
import { DeskField } from '../../kit/fields.tsx'
import { Loaded } from '../../kit/screen.tsx'

type MailServerAnswer = CallOutput<typeof getMailServer>
type Server = NonNullable<MailServerAnswer['server']>

/** Shows the mail server in use, and a form to change it. */
export function MailServer() {
  const mailServer = useCall(getMailServer, {})
  return (
    <Loaded result={mailServer} height={240}>
      {(value) => <ServerPanel mailServer={value} />}
    </Loaded>
  )
}

function ServerPanel({ mailServer }: { mailServer: MailServerAnswer }) {
  const { source, server, used_at, tried: triedServer } = mailServer
  const [isChanging, setChanging] = useState(source === 'none' && triedServer === null)
  return (
    <>
      <Panel
        title="Mail server"
        actions={
          source !== 'environment' &&
          !isChanging && (
            <Button tone="secondary" onClick={() => setChanging(true)}>
              {source === 'desk' ? 'Change…' : 'Enter another one'}
            </Button>
          )
        }
      >
        <div className={deskLayout.body}>
          {source === 'environment' && (
            <p>
              The variable <code>SMTP_URL</code> in the server’s environment sets the mail server. To enter one here,
              remove <code>SMTP_URL</code> first.
            </p>
          )}
          {source === 'none' && (
            <p>
              There is no mail server yet, so email is saved as files and not delivered. Enter the details from your
              email provider. The site first sends you a test.
            </p>
          )}
          {source === 'desk' && server !== null && (
            <Facts facts={{ ...listFacts(server), 'Used since': <When at={used_at} show="both" /> }} />
          )}
        </div>
      </Panel>
      {triedServer !== null && source !== 'environment' && (
        <TriedServerPanel tried={triedServer} mailServer={mailServer} />
      )}
      {source !== 'environment' && isChanging && (
        <ServerForm mailServer={mailServer} onClose={() => setChanging(false)} />
      )}
    </>
  )
}

const listFacts = ({ host, port, login, has_password, sender }: Server) => ({
  Server: `${host}, port ${port}`,
  User: login === '' ? 'None' : login,
  Password: has_password ? 'Entered' : 'None',
  Sender: sender,
})

/** Shows the mail server that was tested last, with a button to use it. */
function TriedServerPanel({
  tried: triedServer,
  mailServer: { source, test_to },
}: {
  tried: NonNullable<MailServerAnswer['tried']>
  mailServer: MailServerAnswer
}) {
  return (
    <Panel title="Tested, not in use yet">
      <div className={deskLayout.body}>
        <Facts
          facts={{
            ...listFacts(triedServer),
            Tested: <When at={triedServer.tried_at} show="both" />,
            'The server’s answer': triedServer.said,
          }}
        />
        <p>
          Look for “A test of the mail server” in the mailbox of {test_to}, also among the spam. If it has arrived, use
          this server.
        </p>
        <DeskAction
          endpoint={useMailServer}
          input={{ server: triedServer.server }}
          label="Use this server"
          confirmation={{
            title: 'Use this mail server?',
            text: `From now on the site sends all email through ${triedServer.host}, from ${triedServer.sender}. Every owner gets an email about it${source === 'desk' ? ', also through the former server' : ''}. If there is another owner, they have to approve it first.`,
          }}
        />
      </div>
    </Panel>
  )
}

function ServerForm({ mailServer, onClose }: { mailServer: MailServerAnswer; onClose: () => void }) {
  const { server, tried: triedServer, providers, source, test_to } = mailServer
  return (
    <DeskForm
      endpoint={tryMailServer}
      fields={mailServerFields}
      title={source === 'desk' ? 'Another mail server' : 'Enter a mail server'}
      {...(server !== null && {
        values: { host: server.host, port: server.port, login: server.login, sender: server.sender },
        fieldAdditions: { password: { hint: 'empty: the password stays, if server and user do too' } },
      })}
      show={({ values, change }) => [
        <DeskField
          key="provider"
          field={{
            kind: 'choice',
            label: 'Provider',
            none: 'Another one',
            options: providers.map(({ name }) => [name, name]),
          }}
          value={providers.find(({ host, port }) => host === values.host && port === Number(values.port))?.name ?? ''}
          onChange={(name: string) => {
            const chosenProvider = providers.find((provider) => provider.name === name)
            change({ host: chosenProvider?.host ?? '', port: chosenProvider?.port ?? 587 })
          }}
        />,
        ['host', 'port'],
        ['login', 'password'],
        'sender',
      ]}
      submitLabel={`Send a test to ${test_to}`}
      actions={
        source === 'desk' && (
          <DeskAction
            endpoint={useMailServer}
            input={{ server: null }}
            label="Remove the server…"
            tone="secondary"
            confirmation={{
              title: 'Remove the mail server?',
              text: 'Emails are then saved as files and not delivered. If there is another owner, they have to approve it first.',
              tone: 'danger',
            }}
          />
        )
      }
      onDone={onClose}
      {...((source === 'desk' || triedServer !== null) && { onCancel: onClose })}
    />
  )
}
