import { useState } from 'react'
import { useLoaded } from '#web/api/queries.ts'
import styles from './rotator.module.css'
import { RotatorMenu } from './rotator-menu.tsx'
import { bannersQuery } from './shell-data.ts'
import { SAMPLE_BANNER, Slide } from './slide.tsx'
import { useIdle } from './use-idle.ts'
import { useRotation } from './use-rotation.ts'

/** The rotating banner (SPEC §2.17), on every screen or on desktop screens only. The first slide is whole before any script. */
export function Rotator({ on }: { on: 'everywhere' | 'desktop' }) {
  const data = useLoaded(bannersQuery()).data?.data
  const banners = data !== undefined && data.length > 0 ? data : [SAMPLE_BANNER]
  const idle = useIdle()
  const [held, setHeld] = useState(false)
  const [paused, setPaused] = useState(false)
  const { current, furthest, show, swipe } = useRotation(banners.length, held || paused)

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
      <div className={styles.viewport} {...swipe}>
        <div className={styles.slides}>
          {banners.map((banner, index) => (
            <Slide
              key={banner.id}
              banner={banner}
              place={`${index + 1} of ${banners.length}`}
              first={index === 0 && on}
              shown={index === current}
              // The next picture is there before it is due; the others wait.
              drawn={index === 0 || (idle && index <= furthest + 1)}
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
              onClick={() => show(index)}
            >
              <span>{index + 1}</span>
            </button>
          ))}
          <RotatorMenu paused={paused} onPause={setPaused} />
        </div>
      )}
    </section>
  )
}
