export { default, meta } from '#web/features/later/later-page.tsx'
