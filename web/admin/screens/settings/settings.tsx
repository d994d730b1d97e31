import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { SETTING_NAMES, SETTINGS, type SettingName } from '#contract/settings.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskIcon } from '../../kit/icons.tsx'
import list from '../../kit/list.module.css'
import { ScreenHead } from '../../kit/screen.tsx'
import { SettingsForms } from '../../kit/settings-form.tsx'
import { useMay } from '../../me.ts'
import styles from './settings.module.css'

const PERMISSIONS = ['settings.write', 'staff.write'] as const

/** Whether a setting's group, label or help contains every word of a search. */
function matchesQuery(name: SettingName, query: string): boolean {
  const { group, label, help } = SETTINGS[name]
  const text = `${group} ${label} ${help}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((term) => text.includes(term))
}

/**
 * The site's settings: accounts, the shop, the forum, Discord and alerts, staff. A search and a list of groups lead to
 * a setting; on a narrow screen each group is a separate page.
 */
export function Screen() {
  const may = useMay()
  const [params] = useSearchParams()
  const [query, setQuery] = useState('')
  const group = params.get('group')
  const permissions = PERMISSIONS.filter((permission) => may(permission))
  const isEditable = (name: SettingName) => (permissions as readonly string[]).includes(SETTINGS[name].permission)
  const groups = [...new Set(SETTING_NAMES.filter(isEditable).map((name) => SETTINGS[name].group))]
  const isShown = (name: SettingName) =>
    query.trim() !== '' ? matchesQuery(name, query.trim()) : group === null || SETTINGS[name].group === group
  const hasResults = SETTING_NAMES.some((name) => isEditable(name) && isShown(name))
  return (
    <>
      <ScreenHead
        title="Settings"
        line="How the site works. Every change is recorded, and you can undo it."
        actions={
          <ButtonLink to="/admin/settings/history" tone="secondary">
            History and undo
          </ButtonLink>
        }
      />
      <div className={styles.page} data-list={(group === null && query === '') || undefined}>
        <div className={styles.groups}>
          <div className={`${list.filter} ${list.search}`}>
            <label htmlFor="settings-query">Find a setting</label>
            <input
              id="settings-query"
              type="search"
              value={query}
              onChange={({ currentTarget }) => setQuery(currentTarget.value)}
            />
          </div>
          <nav aria-label="Groups of settings">
            <Link to="/admin/settings" className={styles.group} aria-current={group === null ? 'page' : undefined}>
              All settings
            </Link>
            {groups.map((name) => (
              <Link
                key={name}
                to={`/admin/settings?group=${encodeURIComponent(name)}`}
                className={styles.group}
                aria-current={group === name ? 'page' : undefined}
                onClick={() => setQuery('')}
              >
                {name} <DeskIcon name="forward" size={16} />
              </Link>
            ))}
          </nav>
        </div>
        <div className={`${layout.panels} ${styles.forms}`}>
          {group !== null && (
            <p className={styles.back}>
              <Link to="/admin/settings">
                <DeskIcon name="back" size={16} /> All settings
              </Link>
            </p>
          )}
          {permissions.map((permission) => (
            <SettingsForms key={permission} permission={permission} isShown={isShown} />
          ))}
          {!hasResults && <EmptyState title="No setting found" line="Try another word, or choose a group." />}
          <p>
            Links, the announcement and who runs the server are on the <Link to="/admin/site/names">Site</Link> screen,
            the site’s name on the screen Theme.
          </p>
        </div>
      </div>
    </>
  )
}
