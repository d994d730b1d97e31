import { ROTATOR } from '#contract/limits.ts'
import type { SiteBanner } from '#contract/banners.ts'
import { OwnOrForeignLink } from '#web/ui/own-or-foreign-link.tsx'
import styles from './rotator.module.css'

const SAMPLE_IMAGE = '/art/banner-1.svg'
const SAMPLE_IMAGE_PHONE = '/art/banner-1-phone.svg'

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

type SlideProps = { banner: SiteBanner; place: string; first: boolean; shown: boolean; drawn: boolean }

/** One banner: a drawn picture and a headline that is text. A banner without a picture shows the sample (SPEC §3). */
export function Slide({ banner, place, first, shown, drawn }: SlideProps) {
  const picture = banner.img_url ?? SAMPLE_IMAGE
  const phonePicture = banner.img_phone_url ?? banner.img_url ?? SAMPLE_IMAGE_PHONE
  return (
    <div className={styles.slide} role="group" aria-roledescription="slide" aria-label={place} inert={!shown}>
      <OwnOrForeignLink to={banner.href} className={styles.link}>
        {drawn && (
          <picture className={styles.picture}>
            <source media="(max-width: 639px)" srcSet={phonePicture} />
            <img
              src={picture}
              alt=""
              width={ROTATOR.width}
              height={ROTATOR.height}
              fetchPriority={first ? 'high' : 'low'}
              decoding="async"
            />
          </picture>
        )}
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
