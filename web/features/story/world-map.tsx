import { Fragment, type MouseEvent, useState } from 'react'
import { MAP_SIZE, PLACES, type Place } from '#content/story.ts'
import { Crest } from '#web/art/crest.tsx'
import styles from './story.module.css'

/** From here on the list is beside the map, so following a place's link keeps both in sight. */
const LIST_BESIDE = '(min-width: 1280px)'

/** The drawn map with its names as text, and the places in words; pointing at a place highlights it in both. */
export function WorldMap() {
  const [chosen, setChosen] = useState<Place>()

  function follow(event: MouseEvent, place: Place) {
    setChosen(place)
    if (!window.matchMedia(LIST_BESIDE).matches) event.preventDefault()
  }

  return (
    <section id="map" className={styles.map} aria-labelledby="map-heading">
      <div className={styles.title}>
        <h2 id="map-heading">World map</h2>
        <p>The hill, the river and the road around them.</p>
      </div>
      <div className={styles.sheet}>
        <div className={styles.picture}>
          <div className={styles.canvas}>
            <img src="/art/world-map.svg" alt="" {...MAP_SIZE} loading="lazy" decoding="async" />
            {/* biome-ignore lint/a11y/useSemanticElements: a drawing that holds links */}
            <svg
              viewBox={`0 0 ${MAP_SIZE.width} ${MAP_SIZE.height}`}
              role="group"
              aria-labelledby="map-title"
              aria-describedby="map-desc"
            >
              <title id="map-title">World map of the campus</title>
              <desc id="map-desc">
                Three schools on a hill around one rooftop: Mystic Peak in the back, Sacred Gate at the left, Phoenix at
                the right. The Sky Bridge joins two of them, the river Tahimik runs below, and route 26 circles it all.
              </desc>
              {PLACES.map((place) => (
                <MapPlace
                  key={place.id}
                  place={place}
                  isChosen={place === chosen}
                  onChoose={setChosen}
                  onFollow={follow}
                />
              ))}
            </svg>
          </div>
          <p className={styles.caption} role="status">
            {chosen === undefined ? 'Choose a place to read about it.' : <PlaceWords place={chosen} />}
          </p>
        </div>
        <ol className={styles.places}>
          {PLACES.map((place) => (
            <li
              key={place.id}
              id={`place-${place.id}`}
              data-chosen={place === chosen || undefined}
              data-school={place.school}
              onMouseEnter={() => setChosen(place)}
            >
              {place.school !== undefined && <Crest school={place.school} size={34} />}
              <p>
                <PlaceWords place={place} />
              </p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function PlaceWords({ place }: { place: Place }) {
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
  const { id, name, label = [name], at, x, y } = place
  return (
    <a
      href={`#place-${id}`}
      className={styles.place}
      data-chosen={isChosen || undefined}
      onClick={(event) => onFollow(event, place)}
      onFocus={() => onChoose(place)}
      onMouseEnter={() => onChoose(place)}
    >
      <ellipse className={styles.ring} cx={at[0]} cy={at[1]} rx="86" ry="62" />
      <text className={styles.label} textAnchor="middle">
        {label.map((line, i) => (
          <Fragment key={line}>
            {/* Lines are read as separate words; a space with a width would push its line out of the middle. */}
            {i > 0 && (
              <tspan fontSize="0" letterSpacing="0">
                {' '}
              </tspan>
            )}
            <tspan x={x} y={y} dy={`${i}em`}>
              {line}
            </tspan>
          </Fragment>
        ))}
      </text>
    </a>
  )
}
