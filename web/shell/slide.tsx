import { preload } from 'react-dom'
import type { SiteBanner } from '#contract/banners.ts'
import { ROTATOR } from '#contract/limits.ts'
import { OwnOrForeignLink } from '#web/ui/own-or-foreign-link.tsx'
import styles from './rotator.module.css'

const SAMPLE_IMAGE = '/art/banner-1.svg'
const SAMPLE_IMAGE_PHONE = '/art/banner-1-phone.svg'

const PHONE = '(max-width: 639px)'
const DESKTOP = { everywhere: '(min-width: 640px)', desktop: '(min-width: 1024px)' }

/** Stands in while there are no banners. */
export const SAMPLE_BANNER: SiteBanner = {
  id: 0,
  img_url: null,
  img_phone_url: null,
  title: ['Three schools,', 'one rooftop'],
  line: 'Start here: how the game is played.',
  tag: 'Instructions',
  href: '/instructions',
}

type SlideProps = {
  banner: SiteBanner
  /** Read out: '2 of 5'. */
  place: string
  /** The first slide of a stage that is on screen at once; its picture is fetched before the others. */
  first: 'everywhere' | 'desktop' | false
  shown: boolean
  drawn: boolean
}

/** One banner: a drawn picture and a headline that is text. A banner without a picture shows the sample (SPEC §3). */
export function Slide({ banner, place, first, shown, drawn }: SlideProps) {
  const picture = banner.img_url ?? SAMPLE_IMAGE
  const phonePicture = banner.img_phone_url ?? banner.img_url ?? SAMPLE_IMAGE_PHONE
  // Known to the browser before it has read the styles: the first picture is most of the first screen.
  if (first === 'everywhere') preload(phonePicture, { as: 'image', fetchPriority: 'high', media: PHONE })
  if (first !== false) preload(picture, { as: 'image', fetchPriority: 'high', media: DESKTOP[first] })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group is what a carousel calls its slides
    <div
      className={styles.slide}
      data-shown={shown || undefined}
      role="group"
      aria-roledescription="slide"
      aria-label={place}
      inert={!shown}
    >
      <OwnOrForeignLink to={banner.href} className={styles.link}>
        <picture className={styles.picture}>
          {drawn && (
            <>
              <source media={PHONE} srcSet={phonePicture} />
              <img
                src={picture}
                alt=""
                width={ROTATOR.width}
                height={ROTATOR.height}
                loading={first === 'everywhere' ? 'eager' : 'lazy'}
              />
            </>
          )}
        </picture>
        <span className={styles.words}>
          {banner.tag !== '' && <span className={styles.tag}>{banner.tag}</span>}
          <span className={styles.headline}>
            {banner.title.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </span>
          <span className={styles.line}>{banner.line}</span>
        </span>
      </OwnOrForeignLink>
    </div>
  )
}
