import Autoplay from 'embla-carousel-autoplay'
import Fade from 'embla-carousel-fade'
import useEmblaCarousel from 'embla-carousel-react'
import { useEffect, useState } from 'react'
import { ROTATOR } from '#contract/limits.ts'

export type RotatorControls = { show: (index: number) => void }

type RotatorMotionProps = {
  /** The box whose slides move; they are in the page long before this arrives. */
  viewport: HTMLElement
  /** Pointed at, focused or paused. */
  still: boolean
  onShow: (index: number) => void
  onReady: (controls: RotatorControls) => void
}

/** Embla counts a fade in its own units: 25 is 48 of its steps of 1/60 s, the 800 ms of SPEC §2.17. */
const FADE_800_MS = 25

const plugins = () => [
  Fade(),
  // Stops by itself while the tab is hidden. What holds it is decided by `still`.
  Autoplay({ delay: ROTATOR.slideMs, playOnInit: false, stopOnInteraction: false, stopOnFocusIn: false }),
]

/** Moves the slides: no element of its own. Under reduced motion they change only when asked to, and at once. */
export function RotatorMotion({ viewport, still, onShow, onReady }: RotatorMotionProps) {
  const [calm] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches)
  const [fadeAndPlay] = useState(plugins)
  const [attach, embla] = useEmblaCarousel({ loop: true, duration: FADE_800_MS }, fadeAndPlay)

  useEffect(() => attach(viewport), [attach, viewport])

  useEffect(() => {
    if (embla === undefined) return
    const report = () => onShow(embla.selectedScrollSnap())
    embla.on('select', report)
    onReady({
      show: (index) => {
        embla.scrollTo(index, calm)
        embla.plugins().autoplay.reset()
      },
    })
    return () => {
      embla.off('select', report)
    }
  }, [embla, calm, onShow, onReady])

  useEffect(() => {
    const autoplay = embla?.plugins().autoplay
    if (still || calm) autoplay?.stop()
    else autoplay?.play()
  }, [embla, still, calm])

  return null
}
