import { useQueryClient } from '@tanstack/react-query'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { preload } from 'react-dom'
import type { SiteBanner } from '#contract/banners.ts'
import { ROTATOR } from '#contract/limits.ts'
import { usePageQuery } from '#web/api/queries.ts'
import layout from '#web/ui/layout.module.css'
import { SiteOrExternalLink } from '#web/ui/link.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import { showToast } from '#web/ui/toast.ts'
import styles from './rotator.module.css'
import { getBannersQuery } from './shell-data.ts'

const SAMPLE_IMAGE = '/art/banner-1.svg'
const SAMPLE_IMAGE_PHONE = '/art/banner-1-phone.svg'

const PHONE_QUERY = '(max-width: 639px)'
const WIDE_QUERY = '(min-width: 640px)'

/** The banner that is displayed if the operators have none. */
const SAMPLE_BANNER: SiteBanner = {
  id: 0,
  img_url: null,
  img_phone_url: null,
  title: ['Welcome'],
  line: 'One account for the site and the game.',
  tag: 'Sign up',
  href: '/register',
}

/**
 * The rotating banner (BANNER-1). The first slide works without scripts.
 *
 * @param isFirst whether it is the first element of the page; its picture then loads before the others
 */
export function Rotator({ isFirst = false }: { isFirst?: boolean }) {
  const data = usePageQuery(getBannersQuery()).data?.data
  const banners = data !== undefined && data.length > 0 ? data : [SAMPLE_BANNER]
  const isIdle = useIdle()
  const [isInUse, setIsInUse] = useState(false)
  const [isPaused, setIsPaused] = useState(false)
  const { current, highestIndex, show, swipe } = useRotation(banners.length, isInUse || isPaused)

  return (
    <section
      className={styles.rotator}
      aria-roledescription="carousel"
      aria-label="Banners"
      onMouseEnter={() => setIsInUse(true)}
      onMouseLeave={() => setIsInUse(false)}
      onFocus={() => setIsInUse(true)}
      onBlur={() => setIsInUse(false)}
    >
      <div className={styles.viewport} {...swipe}>
        <div className={styles.slides}>
          {banners.map((banner, index) => (
            <Slide
              key={banner.id}
              banner={banner}
              position={`${index + 1} of ${banners.length}`}
              isFirst={isFirst && index === 0}
              isShown={index === current}
              // The next picture loads before its slide appears, the others later.
              isLoaded={index === 0 || (isIdle && index <= highestIndex + 1)}
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
          <button
            type="button"
            className={`${styles.thumb} ${styles.pause}`}
            aria-label={isPaused ? 'Play' : 'Pause'}
            onClick={() => setIsPaused(!isPaused)}
          >
            <svg width="14" height="14" viewBox="0 0 14 14" fill="currentColor" aria-hidden="true">
              <path d={isPaused ? 'M2 0 13 7 2 14Z' : 'M1 0h4v14H1ZM9 0h4v14H9Z'} />
            </svg>
          </button>
          <RotatorMenu />
        </div>
      )}
    </section>
  )
}

type SlideProps = {
  banner: SiteBanner
  /** The slide's position for screen readers: '2 of 5'. */
  position: string
  /** Whether the slide is visible at first. */
  isFirst: boolean
  isShown: boolean
  isLoaded: boolean
}

/**
 * A banner: a picture with a headline as text (LOOK-5). A banner without a picture shows the sample picture (BANNER-2).
 */
export function Slide({ banner, position, isFirst, isShown, isLoaded }: SlideProps) {
  const [samplePicture, phoneSamplePicture] = [useArt(SAMPLE_IMAGE), useArt(SAMPLE_IMAGE_PHONE)]
  const picture = banner.img_url ?? samplePicture
  const phonePicture = banner.img_phone_url ?? banner.img_url ?? phoneSamplePicture
  // Starts the download before the browser has read the styles, because the picture fills most of the first screen.
  if (isFirst) {
    preload(phonePicture, { as: 'image', fetchPriority: 'high', media: PHONE_QUERY })
    preload(picture, { as: 'image', fetchPriority: 'high', media: WIDE_QUERY })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the carousel pattern uses a group for each slide
    <div
      className={styles.slide}
      data-shown={isShown || undefined}
      role="group"
      aria-roledescription="slide"
      aria-label={position}
      inert={!isShown}
    >
      <SiteOrExternalLink to={banner.href} className={styles.link}>
        <picture className={styles.picture} data-uploaded={picture.startsWith('/files/') || undefined}>
          {isLoaded && (
            <>
              <source media={PHONE_QUERY} srcSet={phonePicture} />
              <img
                src={picture}
                alt=""
                className={layout.cover}
                width={ROTATOR.width}
                height={ROTATOR.height}
                loading={isFirst ? 'eager' : 'lazy'}
              />
            </>
          )}
        </picture>
        <span className={styles.text}>
          {banner.tag !== '' && <span className={styles.tag}>{banner.tag}</span>}
          <span className={styles.headline}>
            {banner.title.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </span>
          <span className={styles.line}>{banner.line}</span>
        </span>
      </SiteOrExternalLink>
    </div>
  )
}

/** The menu with a button that refetches the banners, which are cached for 30 minutes (BANNER-3). */
function RotatorMenu() {
  const menuRef = useRef<HTMLDetailsElement>(null)
  const queryClient = useQueryClient()
  const close = () => menuRef.current?.removeAttribute('open')

  const refresh = async () => {
    close()
    const { key } = getBannersQuery()
    await queryClient.refetchQueries({ queryKey: key })
    const hasFailed = queryClient.getQueryState(key)?.status === 'error'
    if (!hasFailed) await showToast('done', 'The banners are up to date.')
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    close()
    menuRef.current?.querySelector('summary')?.focus()
  }
  const closeOnBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close()
  }

  return (
    <details className={styles.menu} ref={menuRef} onKeyDown={closeOnEscape} onBlur={closeOnBlur}>
      <summary className={styles.opener} aria-label="Banner options">
        <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
          <path d="M6 1h4v4H6ZM6 6h4v4H6ZM6 11h4v4H6Z" />
        </svg>
      </summary>
      <div className={styles.list}>
        <button type="button" onClick={() => void refresh()}>
          Refresh
        </button>
      </div>
    </details>
  )
}

/** The minimum sideways movement of a finger, in px, for a swipe instead of a tap on the link. */
const SWIPE_PX = 40

type Rotation = {
  current: number
  /** The highest index shown so far. Pictures up to it stay loaded. */
  highestIndex: number
  /** Shows a banner and restarts the timer. */
  show: (index: number) => void
  /** Handlers for the slides' box: a swipe shows the next or the previous banner. */
  swipe: {
    onPointerDown: (event: PointerEvent) => void
    onPointerUp: (event: PointerEvent) => void
    onClickCapture: (event: MouseEvent) => void
  }
}

/**
 * Rotates through `count` banners in order, one every 3 s (BANNER-1). It pauses while `isPaused`, while the tab is
 * hidden, and under reduced motion.
 */
function useRotation(count: number, isPaused: boolean): Rotation {
  const [current, setCurrent] = useState(0)
  const [highestIndex, setHighestIndex] = useState(0)
  const [turnCount, setTurnCount] = useState(0)
  const show = useCallback(
    (index: number) => {
      const nextIndex = (index + count) % count
      setCurrent(nextIndex)
      setHighestIndex((previous) => Math.max(previous, nextIndex))
      setTurnCount((turns) => turns + 1)
    },
    [count],
  )

  useEffect(() => {
    const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (isPaused || isMotionReduced || count < 2) return
    const advance = () => {
      if (document.visibilityState === 'visible') show(current + 1)
      else document.addEventListener('visibilitychange', () => setTurnCount(turnCount + 1), { once: true })
    }
    const timer = setTimeout(advance, turnCount === 0 ? ROTATOR.startMs : ROTATOR.slideMs)
    return () => clearTimeout(timer)
  }, [count, current, isPaused, turnCount, show])

  const startX = useRef<number | null>(null)
  const hasSwiped = useRef(false)
  return {
    current: Math.min(current, count - 1),
    highestIndex,
    show,
    swipe: {
      onPointerDown: (event) => {
        hasSwiped.current = false
        startX.current = event.pointerType === 'mouse' ? null : event.clientX
      },
      onPointerUp: (event) => {
        const distance = startX.current === null ? 0 : event.clientX - startX.current
        startX.current = null
        if (Math.abs(distance) < SWIPE_PX) return
        hasSwiped.current = true
        show(current + (distance < 0 ? 1 : -1))
      },
      onClickCapture: (event) => {
        if (hasSwiped.current) event.preventDefault()
        hasSwiped.current = false
      },
    },
  }
}

/** Returns true once the browser is idle, to start downloads that the first paint does not need. */
function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    // Safari does not support requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIsIdle(true), 1000)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(() => setIsIdle(true), { timeout: 3000 })
    return () => cancelIdleCallback(handle)
  }, [])
  return isIdle
}
