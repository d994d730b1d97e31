import { useParams } from 'react-router'
import { orderEntries, SITE_KINDS, type SiteKind } from '#contract/site.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { useAction } from '../../kit/call.ts'
import { getServerNow } from '../../kit/clock.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { StateBadge } from '../../kit/facts.tsx'
import { MoveButtons } from '../../kit/move-buttons.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SettingsForms } from '../../kit/settings-form.tsx'
import { ScreenNotFound } from '../../notices.tsx'
import { type Banner, isKind, KINDS } from './kinds.ts'
import styles from './site.module.css'

const TABS = [
  ...SITE_KINDS.map((kind) => ({ key: kind as string, label: KINDS[kind].label, to: `/admin/site/${kind}` })),
  { key: 'names', label: 'Names and announcement', to: '/admin/site/names' },
]

/** Edits the parts of the site other than news, pages and items, one per tab. */
export function Screen() {
  const { kind = 'banners' } = useParams()
  const entryKind = isKind(kind) ? kind : null
  if (TABS.every(({ key }) => key !== kind)) return <ScreenNotFound />
  return (
    <>
      <ScreenHead
        title="Site"
        line="Banners, downloads, pictures and everything else that players see, apart from news, pages and items."
        actions={
          entryKind !== null && (
            <ButtonLink to={`/admin/site/${entryKind}/new`}>{`Add a ${KINDS[entryKind].singular}`}</ButtonLink>
          )
        }
      />
      <TabLinks label="Parts of the site" tabs={TABS} current={kind} />
      <div className={styles.content}>
        {entryKind !== null && <Entries key={entryKind} kind={entryKind} />}
        {kind === 'names' && (
          <div className={`${layout.panels} ${deskLayout.narrow}`}>
            <SettingsForms permission="site.write" />
          </div>
        )}
      </div>
    </>
  )
}

/** Lists the entries of a kind in order. */
function Entries({ kind }: { kind: SiteKind }) {
  const { query, summary, singular, empty } = KINDS[kind]
  const entries = usePageQuery(query())
  const { run, busy } = useAction(orderEntries, { successMessage: null })
  const ids = entries.data?.rows.map(({ id }) => id) ?? []
  return (
    <Loaded result={entries} height={480}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Panel>
            <EmptyState
              title="Nothing yet"
              line={empty}
              action={<ButtonLink to={`/admin/site/${kind}/new`}>{`Add a ${singular}`}</ButtonLink>}
            />
          </Panel>
        ) : (
          <ol className={styles.entries} aria-label={KINDS[kind].label}>
            {rows.map((row, index) => {
              const { title, line, picture } = summary(row)
              return (
                <li key={row.id} data-hidden={!row.visible || undefined}>
                  {picture === undefined ? null : picture === null ? (
                    <span className={styles.picture} />
                  ) : (
                    <img className={styles.picture} src={picture} alt="" loading="lazy" />
                  )}
                  <div className={styles.text}>
                    <h2>
                      <Link to={`/admin/site/${kind}/${row.id}`}>{title}</Link>
                    </h2>
                    <p>{line}</p>
                    {!row.visible && <StateBadge tone="off">Hidden</StateBadge>}
                    {kind === 'banners' && <ScheduleBadge banner={row as Banner} />}
                  </div>
                  <div className={styles.moves}>
                    <MoveButtons
                      ids={ids}
                      index={index}
                      name={title}
                      busy={busy}
                      onMove={(order) => void run({ kind, ids: order })}
                    />
                  </div>
                </li>
              )
            })}
          </ol>
        )
      }
    </Loaded>
  )
}

/** Shows whether a banner is planned or over. */
function ScheduleBadge({ banner: { shown_from, shown_until } }: { banner: Banner }) {
  const now = getServerNow()
  if (shown_until !== null && Date.parse(shown_until) <= now) return <StateBadge tone="off">Over</StateBadge>
  if (shown_from !== null && Date.parse(shown_from) > now) return <StateBadge tone="attention">Planned</StateBadge>
  return null
}
