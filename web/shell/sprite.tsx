import { ArtSprite } from '#web/art/symbols.tsx'

const ID = 'art-sprite'

/** What the server drew, read before the page is taken over. */
const drawn = import.meta.env.SSR ? '' : (document.getElementById(ID)?.innerHTML ?? '')

/**
 * The crests, emblems and marks that every picture points into. They never change, so the browser keeps
 * what came with the HTML, and the shapes stay out of its scripts.
 */
export function Sprite() {
  if (import.meta.env.SSR) {
    return (
      <div id={ID}>
        <ArtSprite />
      </div>
    )
  }
  return <div id={ID} dangerouslySetInnerHTML={{ __html: drawn }} suppressHydrationWarning />
}
