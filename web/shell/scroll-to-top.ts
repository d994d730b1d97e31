/** Slides the page to its top in `durationMs`, at once under reduced motion. A wheel or touch in between takes over. */
export function scrollToTop(durationMs: number): void {
  document.querySelector<HTMLElement>('[data-skip-link]')?.focus({ preventScroll: true })
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    window.scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  const from = window.scrollY
  const startedAt = performance.now()
  let interrupted = false
  const interrupt = () => {
    interrupted = true
  }
  window.addEventListener('wheel', interrupt, { once: true, passive: true })
  window.addEventListener('touchstart', interrupt, { once: true, passive: true })

  const step = (now: number) => {
    const done = Math.min(1, (now - startedAt) / durationMs)
    if (interrupted) return
    window.scrollTo({ top: from * (1 - done) ** 3, behavior: 'instant' })
    if (done < 1) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}
