import {
  type DiscordChannel,
  discordAppFields,
  getDiscordChannels,
  removeDiscordApp,
  saveDiscordApp,
  sendDiscordTest,
} from '#contract/discord.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { SETTINGS } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SettingsForms } from '../../kit/settings-form.tsx'
import styles from './discord.module.css'

type Row = CallOutput<typeof getDiscordChannels>['rows'][number]

const CHANNEL_NAMES: Record<DiscordChannel, string> = {
  news: 'News',
  events: 'Events',
  wars: 'Club wars',
  months: 'Closed months',
  tournaments: 'Tournaments',
  forum: 'Forum board',
  tickets: 'Tickets (staff)',
  appeals: 'Appeals (staff)',
  deliveries: 'Failed deliveries (staff)',
  alert: 'Alerts (staff)',
}

/** The screen for the Discord channels that the site posts to (DISCORD-5). */
export function Screen() {
  const channels = useCall(getDiscordChannels, {}, { refetchOnWindowFocus: true })
  return (
    <>
      <ScreenHead
        title="Discord"
        line="The site can post to your Discord server, each kind of message to its own channel."
      />
      <div className={layout.panels}>
        <Panel title="Channels">
          <Loaded result={channels} height={480}>
            {({ rows }) => (
              <ul className={deskLayout.rows}>
                {rows.map((row) => (
                  <ChannelRow key={row.channel} row={row} />
                ))}
              </ul>
            )}
          </Loaded>
        </Panel>
        <LinkedRoles />
        <SettingsForms
          permission="settings.write"
          isShown={(name) => SETTINGS[name].kind === 'webhook' || name === 'forum_webhook_board'}
        />
      </div>
    </>
  )
}

const describeLinks = (links: number) =>
  links === 0
    ? 'No player is connected.'
    : `${formatPlural(links, 'connected player')} will be disconnected and lose their roles. Discord’s copy of their levels, ranks and other data is deleted within minutes.`

/** The settings of the Discord application that gives players linked roles. */
function LinkedRoles() {
  const channelsQuery = useCall(getDiscordChannels, {})
  return (
    <Loaded result={channelsQuery} height={320}>
      {({ app }) => (
        <>
          <Panel title="Linked roles">
            <div className={deskLayout.facts}>
              <Facts
                facts={{
                  Application: app.client_id || 'none yet',
                  'Connected players': formatCount(app.links),
                  'Redirect address': app.redirect_url,
                }}
              />
            </div>
            {app.client_id !== '' && (
              <div className={layout.padded}>
                <DeskAction
                  endpoint={removeDiscordApp}
                  input={{ client_id: app.client_id }}
                  label="Remove the application"
                  tone="quiet"
                  confirmation={{
                    title: 'Remove the application?',
                    text: `Players can no longer connect with Discord. ${describeLinks(app.links)}`,
                    tone: 'danger',
                  }}
                />
              </div>
            )}
          </Panel>
          <DeskForm
            key={app.client_id}
            endpoint={saveDiscordApp}
            title="Application at Discord"
            fields={discordAppFields}
            values={{ client_id: app.client_id, client_secret: '', bot_token: '' }}
            show={['client_id', 'client_secret', 'bot_token']}
          />
        </>
      )}
    </Loaded>
  )
}

function ChannelRow({ row: { channel, webhook, posted_at, waiting, failure } }: { row: Row }) {
  return (
    <li className={styles.row}>
      <div>
        <p className={deskLayout.badges}>
          <strong>{CHANNEL_NAMES[channel]}</strong>
          {webhook === '' ? (
            <StateBadge tone="off">No webhook</StateBadge>
          ) : failure === '' ? (
            <StateBadge tone="good">{webhook}</StateBadge>
          ) : (
            <StateBadge tone="bad">{webhook}</StateBadge>
          )}
          {waiting > 0 && <StateBadge tone="attention">{formatPlural(waiting, 'message')} waiting</StateBadge>}
        </p>
        {failure !== '' && <p>{failure}</p>}
        {posted_at !== null && (
          <p className={deskLayout.faint}>
            Last message <When at={posted_at} />.
          </p>
        )}
      </div>
      {webhook !== '' && (
        <DeskAction
          endpoint={sendDiscordTest}
          input={{ channel }}
          label="Send a test"
          about={CHANNEL_NAMES[channel]}
          tone="secondary"
        />
      )}
    </li>
  )
}
