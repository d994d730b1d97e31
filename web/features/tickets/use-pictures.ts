import { useEffect, useRef, useState } from 'react'
import { SCREENSHOTS_MAX } from '#contract/limits.ts'
import { addPictures } from './picture-rules.ts'

const filesOf = (data: DataTransfer | null) => [...(data?.files ?? [])]
const carriesFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false

/** Copied out of a document there are words beside the picture: then the words are meant. */
const isPicturePaste = (data: DataTransfer | null) => carriesFiles(data) && !data?.types.includes('text/plain')

/**
 * The screenshots of a form: picked, dropped anywhere on the page, or pasted. A file dropped beside the form would
 * otherwise open in the form's place, and with it what was typed would be gone.
 */
export function usePictures() {
  const [pictures, setPictures] = useState<File[]>([])
  const [refusals, setRefusals] = useState<string[]>([])
  const [said, setSaid] = useState('')
  const [dragging, setDragging] = useState(false)
  /** How often the server has said no to one of them: then the field is to be looked at. */
  const [timesRefused, setTimesRefused] = useState(0)
  const now = useRef(pictures)
  now.current = pictures

  const add = (files: readonly File[]) => {
    if (files.length === 0) return
    const result = addPictures(now.current, files)
    const more = result.pictures.length - now.current.length
    now.current = result.pictures
    setPictures(result.pictures)
    setRefusals(result.refusals)
    if (more > 0) setSaid(`${more} added. ${result.pictures.length} of ${SCREENSHOTS_MAX} screenshots.`)
  }
  const remove = (file: File) => {
    const left = now.current.filter((picture) => picture !== file)
    now.current = left
    setPictures(left)
    setRefusals([])
    setSaid(`${file.name} removed. ${left.length} of ${SCREENSHOTS_MAX} screenshots.`)
  }
  const clear = () => {
    setPictures([])
    setRefusals([])
    setSaid('')
  }

  const adder = useRef(add)
  adder.current = add
  useEffect(() => {
    const given = new AbortController()
    const listen = <Name extends keyof WindowEventMap>(name: Name, act: (event: WindowEventMap[Name]) => void) =>
      window.addEventListener(name, act, { signal: given.signal })
    listen('dragover', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setDragging(true)
    })
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setDragging(false)
    })
    listen('drop', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setDragging(false)
      adder.current(filesOf(event.dataTransfer))
    })
    listen('paste', (event) => {
      if (!isPicturePaste(event.clipboardData)) return
      event.preventDefault()
      adder.current(filesOf(event.clipboardData))
    })
    return () => given.abort()
  }, [])

  const refuse = (text: string) => {
    setRefusals([text])
    setTimesRefused(timesRefused + 1)
  }
  return { pictures, refusals, said, dragging, timesRefused, add, remove, clear, refuse }
}

export type Pictures = ReturnType<typeof usePictures>
