import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import {
  budgetFields,
  connectFields,
  connectVoteSite,
  getDeskVotes,
  saveVoteBudget,
  saveVoteSite,
  voteSiteFields,
} from '#contract/desk-rewards.ts'
import type { CallOutput, FormValues } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import { StateBadge } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { SecretsDialog } from '../../kit/secrets-dialog.tsx'
import { useMay } from '../../me.ts'
import { RewardScreen } from './reward-parts.tsx'
import styles from './rewards.module.css'

type VoteList = CallOutput<typeof getDeskVotes>['sites'][number]
type Connection = CallOutput<typeof connectVoteSite>

/** Shows the vote lists, or one of them. The contract calls a vote list `site`. */
export function Screen() {
  const { site } = useParams()
  return site === undefined ? <VoteLists /> : <VoteListPage number={site} />
}

function VoteLists() {
  const votesQuery = useCall(getDeskVotes, {})
  return (
    <RewardScreen
      current="votes"
      source="vote"
      line="Lists of servers where players vote. A player gets the reward only after the list has reported the vote."
      actions={<ButtonLink to="/admin/rewards/votes/new">Add a vote list</ButtonLink>}
      query={votesQuery}
      renderAbove={({ sites }) =>
        sites.length === 0 ? (
          <Panel>
            <EmptyState
              title="No lists yet"
              line="Register the server at a list first, then add it here."
              action={<ButtonLink to="/admin/rewards/votes/new">Add a vote list</ButtonLink>}
            />
          </Panel>
        ) : (
          <ul className={`${layout.rows} ${styles.sites}`}>
            {sites.map((site) => (
              <li key={site.site}>
                <Link to={`/admin/rewards/votes/${site.site}`}>{site.name}</Link>
                <span>{formatPlural(site.votes, 'vote')} in 30 days</span>
                <VoteListState site={site} />
                {!site.connected && <p>{NOT_CONNECTED_NOTE}</p>}
              </li>
            ))}
          </ul>
        )
      }
    >
      {({ version, budget }) => (
        <DeskForm
          key={version}
          endpoint={saveVoteBudget}
          title="All votes together"
          fields={budgetFields}
          values={{ version, budget }}
          savesChanges
          show={['budget']}
        />
      )}
    </RewardScreen>
  )
}

const NOT_CONNECTED_NOTE = 'Players can’t see this list yet, because it has no address to report votes to.'

function VoteListState({ site: { visible, connected } }: { site: VoteList }) {
  if (!connected) return <StateBadge tone="attention">Not connected</StateBadge>
  return visible ? <StateBadge tone="good">Open</StateBadge> : <StateBadge tone="off">Hidden</StateBadge>
}

const BACK_LINK = { to: '/admin/rewards/votes', label: 'Rewards' }

function VoteListPage({ number }: { number: string }) {
  const may = useMay()
  const votesQuery = useCall(getDeskVotes, {})
  const navigate = useNavigate()
  if (number === 'new')
    return (
      <RecordPage back={BACK_LINK} title="Add a vote list">
        <VoteListForm
          onDone={async ({ site }) => {
            // The page of the new vote list reads this query.
            await votesQuery.refetch()
            void navigate(`/admin/rewards/votes/${site}`)
          }}
          values={{
            ...VOTE_LISTS.gtop100,
            list: 'gtop100',
            name: '',
            site: null,
            version: 0,
            pause_hours: 12,
            visible: true,
          }}
        />
      </RecordPage>
    )
  return (
    <Loaded result={votesQuery} height={640}>
      {({ sites }) => {
        const site = sites.find((row) => String(row.site) === number)
        if (site === undefined) return <EmptyState title="There is no such list" />
        const fetchLatest = async () => {
          const { sites: currentSites } = await call(getDeskVotes, {})
          return currentSites.find((row) => row.site === site.site) ?? site
        }
        return (
          <RecordPage
            back={BACK_LINK}
            title={site.name}
            badges={<VoteListState site={site} />}
            facts={{
              'Votes in 30 days': site.votes,
              ...(site.connected_by !== null && { 'Connected by': site.connected_by }),
              ...(site.rewarded_by !== null && { 'Reward raised by': site.rewarded_by }),
            }}
          >
            <div className={styles.content}>
              {!site.connected && <p>{NOT_CONNECTED_NOTE}</p>}
              <VoteListForm key={site.version} values={site} fetchLatest={fetchLatest} />
              {may('votes.connect') && <ConnectForm site={site} />}
            </div>
          </RecordPage>
        )
      }}
    </Loaded>
  )
}

type Values = Partial<FormValues<typeof saveVoteSite>>

type VoteListFormProps = {
  values: Values
  fetchLatest?: () => Promise<Values>
  onDone?: (saved: CallOutput<typeof saveVoteSite>) => Promise<void>
}

function VoteListForm({ values, fetchLatest, onDone }: VoteListFormProps) {
  const isNew = values.site === null
  return (
    <DeskForm
      endpoint={saveVoteSite}
      fields={voteSiteFields}
      values={values}
      {...(fetchLatest && { fetchLatest })}
      {...(onDone && { onDone })}
      show={(form) => {
        const { check } = VOTE_LISTS[form.values.list ?? 'generic']
        const { gift } = form.values
        return [
          ['name', 'list'],
          <DefaultNamesButton key={form.values.list} form={form} isNew={isNew} />,
          'link',
          ['pause_hours', 'gift', gift === 'milleage' || gift === 'item' ? 'amount' : <span key="gap" />],
          gift === 'item' && 'item',
          {
            title: 'How the list reports a vote',
            line: 'The list’s page for server owners names these fields. For known lists they are filled in.',
            show: [
              ['account_field', 'voted_field', 'voted_value'],
              check === 'secret' && 'secret_field',
              check === 'sender' && 'sender',
            ],
          },
          'visible',
        ]
      }}
    />
  )
}

/** Fills in the default parameters of the chosen vote list, and the list's name if it is new. */
function DefaultNamesButton({ form, isNew }: { form: DeskFormState<typeof saveVoteSite>; isNew: boolean }) {
  const { list = 'generic' } = form.values
  const { name, check, ...defaults } = VOTE_LISTS[list]
  const hasDefaults = Object.entries(defaults).every(
    ([field, value]) => form.values[field as keyof typeof defaults] === value,
  )
  if (hasDefaults) return null
  return (
    <div>
      <button type="button" onClick={() => form.change(isNew ? { ...defaults, name } : defaults)}>
        Use the usual field names of {name}
      </button>
    </div>
  )
}

/** Creates a new address to which the vote list reports votes, and shows it only then. */
function ConnectForm({ site: { site, name, list, connected } }: { site: VoteList }) {
  const [connection, setConnection] = useState<Connection | null>(null)
  const { check } = VOTE_LISTS[list]
  return (
    <>
      <DeskForm
        endpoint={connectVoteSite}
        title={connected ? 'Connect the list again' : 'Connect the list'}
        fields={connectFields}
        values={{ site, secret: '' }}
        submitLabel="Make an address"
        successMessage={null}
        onDone={setConnection}
        show={[
          check === 'secret' ? (
            'secret'
          ) : (
            <p key="none">
              {check === 'sender'
                ? 'This list sends no secret. The site accepts its reports only from the list’s own addresses.'
                : 'This list sends no secret: anyone with the address can vote. Give it only to the list.'}
            </p>
          ),
        ]}
      />
      {connection !== null && (
        <SecretsDialog
          title={`Connection details for ${name}`}
          secrets={{ Address: connection.address, ...(connection.secret !== null && { Secret: connection.secret }) }}
          fileName={`${list}.txt`}
          onClose={() => setConnection(null)}
        />
      )}
    </>
  )
}
