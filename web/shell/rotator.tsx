import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { browserClient } from '#web/api/client.ts'
import { bannersQuery } from './queries.ts'
import styles from './rotator.module.css'
import { RotatorMenu } from './rotator-menu.tsx'
import type { RotatorControls } from './rotator-motion.tsx'
import { SAMPLE_BANNER, Slide } from './slide.tsx'
import { useIdle } from './use-idle.ts'

const Motion = lazy(async () => ({ default: (await import('./rotator-motion.tsx')).RotatorMotion }))

/** The rotating banner (SPEC §2.17), on every screen or on desktop screens only. The first slide is plain HTML; what makes it move is fetched when the page is idle. */
export function Rotator({ on }: { on: 'everywhere' | 'desktop' }) {
  const { data } = useQuery(bannersQuery(browserClient))
  const banners = data !== undefined && data.length > 0 ? data : [SAMPLE_BANNER]
  const idle = useIdle()
  const [viewport, setViewport] = useState<HTMLDivElement | null>(null)
  const [current, setCurrent] = useState(0)
  const [controls, setControls] = useState<RotatorControls | null>(null)
  const [held, setHeld] = useState(false)
  const [paused, setPaused] = useState(false)

  return (
    <section
      className={styles.rotator}
      aria-roledescription="carousel"
      aria-label="Banners"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.viewport} ref={setViewport}>
        <div className={styles.slides}>
          {banners.map((banner, index) => (
            <Slide
              key={banner.id}
              banner={banner}
              place={`${index + 1} of ${banners.length}`}
              first={index === 0 && on}
              shown={index === current}
              // The next picture is there before it is due; the others wait.
              drawn={index === 0 || (idle && (index <= current + 1 || controls === null))}
            />
          ))}
        </div>
      </div>
      {banners.length > 1 && (
        <div className={styles.controls}>
          {banners.map((banner, index) => (
            <button
              key={banner.id}
              type="button"
              className={styles.thumb}
              aria-label={`Banner ${index + 1}: ${banner.title.join(' ')}`}
              aria-current={index === current ? 'true' : undefined}
              onClick={() => controls?.show(index)}
            >
              <span>{index + 1}</span>
            </button>
          ))}
          <RotatorMenu paused={paused} onPause={setPaused} />
        </div>
      )}
      {idle && viewport !== null && viewport.clientWidth > 0 && banners.length > 1 && (
        <Suspense>
          <Motion viewport={viewport} still={held || paused} onShow={setCurrent} onReady={setControls} />
        </Suspense>
      )}
    </section>
  )
}
