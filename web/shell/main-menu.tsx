import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'react-router'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import { sectionOf } from '#web/pages.ts'
import { LogoLink } from './logo-link.tsx'
import styles from './main-menu.module.css'
import { MenuColumn } from './menu-column.tsx'
import { stepInMenu } from './menu-keys.ts'
import { MenuOpener } from './menu-opener.tsx'
import { useMenuEntries } from './use-menu-entries.ts'

/**
 * The menu opens by hover and keyboard focus alone, in CSS, and so without scripts.
 * `shut` holds it closed after Escape or a chosen link until pointer or focus leave; `open` is a finger's first tap.
 */
type MenuState = 'auto' | 'shut' | 'open'

/** The bar of 90 px that grows to 360 px in 300 ms (SPEC §2.2); its columns do not move. */
export function MainMenu() {
  const entries = useMenuEntries()
  const section = sectionOf(useLocation().pathname)
  const [state, setState] = useState<MenuState>('auto')
  const pointer = useRef('')

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Closed sub-menus take no focus: open before stepping in.
    const wanted = stepInMenu(event, (next) => flushSync(() => setState(next)))
    if (wanted === undefined) return
    event.preventDefault()
    wanted.focus()
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null) return
    const firstTap = pointer.current === 'touch' && state !== 'open' && link.dataset.entry === 'group'
    if (firstTap) event.preventDefault()
    setState(firstTap ? 'open' : 'shut')
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only tidies up after the pointer; every action is a link's
    <div className={styles.drop} data-state={state} onMouseLeave={() => setState('auto')}>
      <div className={styles.bar}>
        <div className={styles.logo}>
          <LogoLink />
          <img className={styles.signpost} src="/art/signpost.svg" alt="" width="264" height="236" loading="lazy" />
        </div>
        <nav
          className={styles.menu}
          aria-label="Main menu"
          onKeyDown={onKeyDown}
          onClickCapture={onClick}
          onPointerDown={(event: PointerEvent) => {
            pointer.current = event.pointerType
          }}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setState('auto')
          }}
        >
          <ul className={styles.columns}>
            {entries.map((entry, index) => (
              <MenuColumn
                key={entry.label}
                entry={entry}
                index={index + 1}
                current={entry.sections.includes(section)}
              />
            ))}
          </ul>
        </nav>
        <MenuOpener className={styles.opener} />
      </div>
      <Pinstripe />
      <div className={styles.shade} onPointerDown={() => setState('auto')} />
    </div>
  )
}
