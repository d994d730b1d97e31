import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { picturePath, type Shown } from './gallery-view.ts'

const useBrowserLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

/**
 * What makes the dialog of the document a lightbox: it is modal as soon as scripts run, arrows,
 * Home and End change the picture, Escape closes, and the focus goes back to the last picture shown.
 * Pictures take each other's place in the history, so that Back leaves the lightbox.
 */
export function useLightbox(ref: RefObject<HTMLDialogElement | null>, { picture, previous, next }: Shown) {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { fromGrid?: boolean } | null }

  function show(id: number) {
    void navigate(picturePath(id), { replace: true, state, preventScrollReset: true })
  }

  function close() {
    if (state?.fromGrid) void navigate(-1)
    else void navigate(picturePath(), { replace: true, preventScrollReset: true })
  }

  useBrowserLayoutEffect(() => {
    const dialog = ref.current
    // The document's dialog stands open without being modal, for those without scripts.
    dialog?.removeAttribute('open')
    dialog?.showModal()
    return () => dialog?.close()
  }, [ref])

  useEffect(
    () => () => {
      // Runs when the picture changes and when the lightbox goes; only then the grid can take the focus.
      requestAnimationFrame(() => {
        if (document.querySelector('dialog[open]') === null) document.getElementById(`picture-${picture.id}`)?.focus()
      })
    },
    [picture.id],
  )

  function onKeyDown(event: {
    key: string
    altKey: boolean
    ctrlKey: boolean
    metaKey: boolean
    preventDefault(): void
  }) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    show(event.key === 'ArrowLeft' ? previous.id : next.id)
  }

  return { show, close, onKeyDown, state }
}
