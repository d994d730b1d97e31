import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { getAlertText } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import deskLayout from './desk-layout.module.css'
import { type FactList, Facts } from './facts.tsx'
import { DeskIcon } from './icons.tsx'
import styles from './screen.module.css'

type ScreenHeadProps = {
  title: string
  /** One sentence about the purpose of the screen. */
  line?: ReactNode
  /** Buttons and links; the next action is yellow. */
  actions?: ReactNode
  children?: ReactNode
}

/** The head of a screen. */
export function ScreenHead({ title, line, actions, children }: ScreenHeadProps) {
  const renameCurrencies = useCurrencyText()
  return (
    <div className={styles.head}>
      <div className={styles.text}>
        <h1>{title}</h1>
        {line !== undefined && <p>{typeof line === 'string' ? renameCurrencies(line) : line}</p>}
      </div>
      {actions !== undefined && <div className={deskLayout.row8}>{actions}</div>}
      {children}
    </div>
  )
}

/** Names the window: '{title} | Desk'. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | Desk`
  }, [title])
}

type PartsProps<Key> = {
  /** The name of the screen, for screen readers. */
  screen: string
  parts: readonly { key: Key; label: string; to: string }[]
  current: NoInfer<Key>
}

/** Links to the parts of a screen, in its head. */
export function ScreenParts<Key extends string>({ screen, parts, current }: PartsProps<Key>) {
  const tabRow = useRef<HTMLDivElement>(null)
  // Scrolls the current tab into view, because on a phone the tabs are wider than the screen.
  useEffect(() => {
    tabRow.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className={styles.parts} ref={tabRow}>
      <TabLinks label={`Parts of ${screen}`} tabs={parts} current={current} />
    </div>
  )
}

type Tab = { key: string; label: string; content: ReactNode }

type RecordPageProps = {
  /** The link back to the record's list. */
  back: { to: string; label: string }
  /** The record's name and the window's title. */
  title: string
  /** The record's states, as `StateBadge`s. */
  badges?: ReactNode
  actions?: ReactNode
  /** The most important facts. */
  facts?: FactList
  /** Further content in tabs. The parameter `tab` of the address selects one. */
  tabs?: readonly Tab[]
  children?: ReactNode
}

/** The page of a single record: header, facts, tabs, actions. */
export function RecordPage({ back, title, badges, actions, facts, tabs = [], children }: RecordPageProps) {
  useTitle(title)
  const [query] = useSearchParams()
  const currentTab = tabs.find(({ key }) => key === query.get('tab')) ?? tabs[0]
  return (
    <div className={styles.record}>
      <div className={styles.head}>
        <div className={styles.text}>
          <Link to={back.to} className={styles.back}>
            <DeskIcon name="back" size={16} /> {back.label}
          </Link>
          <div className={deskLayout.row}>
            <h1>{title}</h1>
            {badges}
          </div>
        </div>
        {actions !== undefined && <div className={deskLayout.row8}>{actions}</div>}
      </div>
      {facts !== undefined && (
        <Panel>
          <div className={styles.facts}>
            <Facts facts={facts} />
          </div>
        </Panel>
      )}
      {children}
      {currentTab !== undefined && (
        <div className={layout.shrinks}>
          <TabLinks
            label={`Parts of ${title}`}
            tabs={tabs.map(({ key, label }, index) => ({ key, label, to: index === 0 ? '?' : `?tab=${key}` }))}
            current={currentTab.key}
          />
          <div className={styles.tab}>{currentTab.content}</div>
        </div>
      )}
    </div>
  )
}

/** The part of `useCall`'s result that `Loaded` needs. */
export type LoadState<Value> = { data: Value | undefined; error: Error | null; refetch: () => unknown }

type LoadedProps<Value> = {
  result: LoadState<Value>
  /** The expected height of the content in px, which prevents layout shifts. */
  height?: number
  children: (value: Value) => ReactNode
}

/** Renders data when it has loaded. Shows a placeholder while it loads, or the error. */
export function Loaded<Value>({ result: { data, error, refetch }, height = 320, children }: LoadedProps<Value>) {
  if (data !== undefined) return children(data)
  if (error === null) return <Skeleton width="100%" height={height} />
  return <LoadFailure error={error} onRetry={() => void refetch()} className={styles.framed} />
}

type LoadFailureProps = { error: Error; onRetry: () => void; className?: string | undefined }

/** Explains a failure to load, with a button to retry. */
export function LoadFailure({ error, onRetry, className = '' }: LoadFailureProps) {
  return (
    <div className={`${styles.failure} ${className}`} role="alert">
      <p>{getAlertText(error)}</p>
      <Button tone="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
