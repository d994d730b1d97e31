import { Extension, Mark, mergeAttributes } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import { Plugin } from '@tiptap/pm/state'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import { NEWS_TAGS } from '#contract/news.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import deskLayout from './desk-layout.module.css'
import { DeskField } from './fields.tsx'
import styles from './html-editor.module.css'
import { preparePastedHtml, toHref } from './pasted-html.ts'
import { PictureField } from './picture-field.tsx'

/** Defines a mark that is a tag without attributes. */
const createPlainMark = (tag: string) =>
  Mark.create({
    name: tag,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, mergeAttributes(HTMLAttributes), 0],
  })

/** Turns each link into an https link. Typed or pasted addresses can begin with http, but readers get only https. */
const SecureLinks = Extension.create({
  name: 'secureLinks',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, _before, state) => {
        if (!transactions.some(({ docChanged }) => docChanged)) return null
        const { tr } = state
        state.doc.descendants((node, position) => {
          const link = node.marks.find(({ type }) => type.name === 'link')
          const href = String(link?.attrs.href ?? '')
          if (link === undefined || !href.startsWith('http:')) return
          const secureMark = link.type.create({ ...link.attrs, href: href.replace('http:', 'https:') })
          tr.addMark(position, position + node.nodeSize, secureMark)
        })
        return tr.docChanged ? tr : null
      },
    }),
  ],
})

const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    trailingNode: false,
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => toHref(address) !== null,
      HTMLAttributes: { target: null, rel: null },
    },
  }),
  SecureLinks,
  Image,
  TableKit.configure({ table: { resizable: false } }),
  ...['small', 'sub', 'sup', 'mark'].map(createPlainMark),
]

/** Returns whether the editor can show an HTML text without loss. */
function canShow(html: string): boolean {
  const tags = [...new DOMParser().parseFromString(html, 'text/html').body.querySelectorAll('*')]
  return tags.every(({ localName }) => (NEWS_TAGS.editor as readonly string[]).includes(localName))
}

type HtmlEditorProps = {
  /** The initial HTML. */
  html: string
  onChange: (html: string) => void
  editable: boolean
  labelledBy: string
  /** Whether the box starts small, for one of several texts. */
  isShort?: boolean
}

/** Edits a text in its final style, with tools for the allowed elements. */
function HtmlEditor({ html, onChange, editable, labelledBy, isShort = false }: HtmlEditorProps) {
  const [pasteNotes, setPasteNotes] = useState<string[]>([])
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: html,
    editable,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      transformPastedHTML: (pastedHtml) => {
        const prepared = preparePastedHtml(pastedHtml)
        setPasteNotes(prepared.notes)
        return prepared.html
      },
      attributes: {
        class: `${styles.text} ${isShort ? styles.short : ''}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
      },
    },
    onUpdate: ({ editor: updatedEditor }) => onChange(updatedEditor.isEmpty ? '' : updatedEditor.getHTML()),
  })
  useEffect(() => {
    editor.setEditable(editable, false)
  }, [editor, editable])
  return (
    <div className={styles.editor}>
      {editable && <EditorTools editor={editor} />}
      <EditorContent editor={editor} />
      <div role="status">
        {pasteNotes.map((note) => (
          <p className={deskLayout.muted} key={note}>
            {note}
          </p>
        ))}
      </div>
    </div>
  )
}

type HtmlFieldProps = {
  label: string
  hint?: string | undefined
  /** The initial HTML; later changes of it are ignored. */
  html: string
  onChange: (html: string) => void
  error?: string | undefined
  editable: boolean
  isShort?: boolean
  /** The maximum length of the HTML, in characters. */
  max: number
}

/** A field for a long text: the editor, or the HTML source if the editor would lose content. */
export function HtmlField({ label, hint, html, onChange, error, editable, isShort = false, max }: HtmlFieldProps) {
  const id = useId()
  const [initialHtml] = useState(html)
  const [showsSource] = useState(() => !canShow(initialHtml))
  if (showsSource)
    return (
      <>
        <p className={deskLayout.muted}>
          This text uses formatting that the editor doesn’t support, so it is shown as HTML.
        </p>
        <DeskField
          field={{ kind: 'long', label: `${label} as HTML`, rows: 18, max }}
          value={html}
          error={error}
          onChange={onChange}
        />
      </>
    )
  return (
    <div className={layout.stack4}>
      <span className={styles.label} id={id}>
        {label} {hint !== undefined && <small>{hint}</small>}
      </span>
      <HtmlEditor html={initialHtml} onChange={onChange} editable={editable} labelledBy={id} isShort={isShort} />
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

type EditorTool = {
  key: string
  label: string
  symbol: string
  isOn?: boolean
  isDisabled?: boolean
  run: () => unknown
}

function EditorTools({ editor }: { editor: Editor }) {
  const [openDialog, setOpenDialog] = useState<'link' | 'picture' | null>(null)
  const activeTools = useEditorState({
    editor,
    selector: ({ editor: currentEditor }) => ({
      bold: currentEditor.isActive('bold'),
      italic: currentEditor.isActive('italic'),
      underline: currentEditor.isActive('underline'),
      heading: currentEditor.isActive('heading', { level: 2 }),
      small: currentEditor.isActive('heading', { level: 3 }),
      bullets: currentEditor.isActive('bulletList'),
      numbers: currentEditor.isActive('orderedList'),
      quote: currentEditor.isActive('blockquote'),
      link: currentEditor.isActive('link'),
      table: currentEditor.isActive('table'),
      canUndo: currentEditor.can().undo(),
      canRedo: currentEditor.can().redo(),
    }),
  })
  const startChain = () => editor.chain().focus()
  const tools: EditorTool[] = [
    { key: 'bold', label: 'Bold', symbol: 'B', isOn: activeTools.bold, run: () => startChain().toggleBold().run() },
    {
      key: 'italic',
      label: 'Italic',
      symbol: 'I',
      isOn: activeTools.italic,
      run: () => startChain().toggleItalic().run(),
    },
    {
      key: 'underline',
      label: 'Underline',
      symbol: 'U',
      isOn: activeTools.underline,
      run: () => startChain().toggleUnderline().run(),
    },
    {
      key: 'heading',
      label: 'Heading',
      symbol: 'H',
      isOn: activeTools.heading,
      run: () => startChain().toggleHeading({ level: 2 }).run(),
    },
    {
      key: 'small',
      label: 'Small heading',
      symbol: 'h',
      isOn: activeTools.small,
      run: () => startChain().toggleHeading({ level: 3 }).run(),
    },
    {
      key: 'bullets',
      label: 'List',
      symbol: '•',
      isOn: activeTools.bullets,
      run: () => startChain().toggleBulletList().run(),
    },
    {
      key: 'numbers',
      label: 'Numbered list',
      symbol: '1.',
      isOn: activeTools.numbers,
      run: () => startChain().toggleOrderedList().run(),
    },
    {
      key: 'quote',
      label: 'Quote',
      symbol: '“',
      isOn: activeTools.quote,
      run: () => startChain().toggleBlockquote().run(),
    },
    { key: 'link', label: 'Link', symbol: 'Link', isOn: activeTools.link, run: () => setOpenDialog('link') },
    { key: 'picture', label: 'Picture', symbol: 'Picture', run: () => setOpenDialog('picture') },
    {
      key: 'table',
      label: 'Table',
      symbol: 'Table',
      isDisabled: activeTools.table,
      run: () => startChain().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).run(),
    },
    { key: 'rule', label: 'Horizontal line', symbol: '—', run: () => startChain().setHorizontalRule().run() },
    { key: 'undo', label: 'Undo', symbol: '↶', isDisabled: !activeTools.canUndo, run: () => startChain().undo().run() },
    { key: 'redo', label: 'Redo', symbol: '↷', isDisabled: !activeTools.canRedo, run: () => startChain().redo().run() },
  ]
  const tableTools: EditorTool[] = [
    { key: 'row', label: 'Add a row', symbol: '+ Row', run: () => startChain().addRowAfter().run() },
    { key: 'column', label: 'Add a column', symbol: '+ Column', run: () => startChain().addColumnAfter().run() },
    { key: 'no-row', label: 'Delete this row', symbol: '− Row', run: () => startChain().deleteRow().run() },
    { key: 'no-column', label: 'Delete this column', symbol: '− Column', run: () => startChain().deleteColumn().run() },
    { key: 'no-table', label: 'Delete the table', symbol: '− Table', run: () => startChain().deleteTable().run() },
  ]
  return (
    <>
      <ToolBar label="Tools for the text" tools={tools} />
      {activeTools.table && <ToolBar label="Tools for the table" tools={tableTools} />}
      {openDialog === 'link' && <LinkDialog editor={editor} onClose={() => setOpenDialog(null)} />}
      {openDialog === 'picture' && <PictureDialog editor={editor} onClose={() => setOpenDialog(null)} />}
    </>
  )
}

/** A toolbar with one stop for the Tab key; arrow keys move between its buttons. */
function ToolBar({ label, tools }: { label: string; tools: EditorTool[] }) {
  const [focusedIndex, setFocusedIndex] = useState(0)
  const moveFocus = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = (focusedIndex + step + tools.length) % tools.length
    setFocusedIndex(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className={styles.tools} role="toolbar" aria-label={label} onKeyDown={moveFocus}>
      {tools.map(({ key, label: name, symbol, isOn, isDisabled, run }, index) => (
        <button
          key={key}
          type="button"
          title={name}
          aria-label={name}
          aria-pressed={isOn}
          aria-disabled={isDisabled || undefined}
          tabIndex={index === focusedIndex ? 0 : -1}
          data-tool={key}
          onFocus={() => setFocusedIndex(index)}
          onClick={() => {
            if (!isDisabled) run()
          }}
        >
          {symbol}
        </button>
      ))}
    </div>
  )
}

/** Prompts for an address on the web or an email address (DIALOG-4). */
function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const currentHref: string = editor.getAttributes('link').href ?? ''
  const [address, setAddress] = useState(currentHref)
  const [error, setError] = useState<string | undefined>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const href = toHref(address)
    if (href === null) return setError(/^[^/]*@/.test(address) ? DIALOG_TEXTS.invalidEmail : DIALOG_TEXTS.invalidUrl)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && currentHref === '')
      chain.insertContent({ type: 'text', text: address.trim(), marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
    onClose()
  }
  return (
    <DialogWindow open onClose={onClose} title="Link">
      <form className={layout.stack} onSubmit={submit} noValidate>
        <DeskField
          field={{ kind: 'address', label: 'Link to', hint: 'such as example.com, or /download on this site' }}
          error={error}
          value={address}
          onChange={setAddress}
        />
        <div className={styles.buttons}>
          {currentHref !== '' && (
            <Button
              tone="secondary"
              onClick={() => {
                editor.chain().focus().extendMarkRange('link').unsetLink().run()
                onClose()
              }}
            >
              Remove the link
            </Button>
          )}
          <Button type="submit">Set the link</Button>
        </div>
      </form>
    </DialogWindow>
  )
}

function PictureDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [picture, setPicture] = useState<{ src: string; width?: number; height?: number } | null>(null)
  const [alt, setAlt] = useState('')
  const insert = () => {
    if (picture === null) return
    editor
      .chain()
      .focus()
      .setImage({ ...picture, alt })
      .run()
    onClose()
  }
  return (
    <DialogWindow
      open
      onClose={onClose}
      title="Picture"
      actions={
        <>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          {picture !== null && <Button onClick={insert}>Insert</Button>}
        </>
      }
    >
      <div className={layout.stack}>
        <PictureField
          label="Picture in the text"
          use="news-text"
          value={picture?.src ?? null}
          onChange={(src, [file]) =>
            setPicture(src === null ? null : { src, ...(file && { width: file.width, height: file.height }) })
          }
        />
        <DeskField
          field={{ kind: 'text', label: 'What it shows', hint: 'read out to people who cannot see it' }}
          value={alt}
          onChange={setAlt}
        />
      </div>
    </DialogWindow>
  )
}
