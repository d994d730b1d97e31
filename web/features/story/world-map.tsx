import { Fragment, type MouseEvent, useState } from 'react'
import type { DocumentContent } from '#contract/documents.ts'
import { Crest } from '#web/art/crest.tsx'
import { FoldedText } from '#web/ui/folded.tsx'
import styles from './story.module.css'

/** The width from which the list is next to the map. Both then stay visible after a click on a location. */
const WIDE_LAYOUT = '(min-width: 1280px)'

/** The number of locations that a phone lists unfolded. */
const UNFOLDED_PLACES = 4

type Story = DocumentContent<'story'>
type Place = Story['places'][number]

/** The size of the map, which is also the limit of the positions in `contract/documents.ts`. */
const MAP_SIZE = { width: 1000, height: 1120 }

/** The drawn map with its names as text, and the list of locations. Pointing at a location highlights it in both. */
export function WorldMap({ story, picture }: { story: Story; picture: string }) {
  const { places, map_line, map_name, map_description } = story
  const [chosenPlace, setChosenPlace] = useState<Place>()

  function followLink(event: MouseEvent, place: Place) {
    setChosenPlace(place)
    if (!window.matchMedia(WIDE_LAYOUT).matches) event.preventDefault()
  }

  return (
    <section id="map" className={styles.map} aria-labelledby="map-heading">
      <div className={styles.title}>
        <h2 id="map-heading">World map</h2>
        {map_line !== '' && <p>{map_line}</p>}
      </div>
      <div className={styles.sheet}>
        <div className={styles.picture}>
          <div className={styles.canvas}>
            <img src={picture} alt="" {...MAP_SIZE} loading="lazy" decoding="async" />
            {/* biome-ignore lint/a11y/useSemanticElements: a drawing with links inside */}
            <svg
              data-poster
              viewBox={`0 0 ${MAP_SIZE.width} ${MAP_SIZE.height}`}
              role="group"
              aria-labelledby="map-title"
              aria-describedby="map-desc"
            >
              <title id="map-title">{map_name || 'World map'}</title>
              <desc id="map-desc">{map_description}</desc>
              {places.map((place) => (
                <MapPlace
                  key={place.id}
                  place={place}
                  isChosen={place === chosenPlace}
                  onChoose={setChosenPlace}
                  onFollow={followLink}
                />
              ))}
            </svg>
          </div>
          <p className={styles.caption} role="status">
            {chosenPlace === undefined ? 'Choose a location to read about it.' : <PlaceText place={chosenPlace} />}
          </p>
        </div>
        <FoldedText title="the map’s locations" isLong={places.length > UNFOLDED_PLACES}>
          <ol className={styles.places}>
            {places.map((place) => (
              <li
                key={place.id}
                id={`place-${place.id}`}
                data-chosen={place === chosenPlace || undefined}
                data-school={place.school || undefined}
                onMouseEnter={() => setChosenPlace(place)}
              >
                {place.school !== '' && <Crest school={Number(place.school) as 0 | 1 | 2} size={34} />}
                <p>
                  <PlaceText place={place} />
                </p>
              </li>
            ))}
          </ol>
        </FoldedText>
      </div>
    </section>
  )
}

function PlaceText({ place }: { place: Place }) {
  return (
    <>
      <strong>{place.name}</strong> {place.line}
    </>
  )
}

type MapPlaceProps = {
  place: Place
  isChosen: boolean
  onChoose: (place: Place) => void
  onFollow: (event: MouseEvent, place: Place) => void
}

function MapPlace({ place, isChosen, onChoose, onFollow }: MapPlaceProps) {
  const { id, name, label, at, name_at } = place
  return (
    <a
      href={`#place-${id}`}
      className={styles.place}
      data-chosen={isChosen || undefined}
      onClick={(event) => onFollow(event, place)}
      onFocus={() => onChoose(place)}
      onMouseEnter={() => onChoose(place)}
    >
      <ellipse className={styles.ring} cx={at.x} cy={at.y} rx="86" ry="62" />
      <text className={styles.label} textAnchor="middle">
        {(label || name).split(' / ').map((line, i) => (
          <Fragment key={line}>
            {/* Screen readers must read the lines as separate words. A space with a width would shift its line from
                the center. */}
            {i > 0 && (
              <tspan fontSize="0" letterSpacing="0">
                {' '}
              </tspan>
            )}
            <tspan x={name_at.x} y={name_at.y} dy={`${i}em`}>
              {line}
            </tspan>
          </Fragment>
        ))}
      </text>
    </a>
  )
}
