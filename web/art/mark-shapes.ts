/** Drawn letters and plates of the two currencies (24 grid) and of the logo (48×44), shared by the sprite and the baked pictures. */
export const markShapes = {
  coinLetter: 'M8.3 17.4V6.6h4.5a3.3 3.3 0 0 1 1.5 6.2l2.2 4.6h-3l-1.8-4h-.6v4Zm2.8-8.5v2.3h1.4a1.1 1.1 0 0 0 0-2.3Z',
  ticket: 'M1 4H23V9a3 3 0 0 0 0 6V20H1V15a3 3 0 0 0 0-6Z',
  ticketLetter: 'M6 17.2V6.8h2.6L12 11.5 15.4 6.8H18V17.2H15.3V11.1L12 15.6 8.7 11.1V17.2Z',
  plate: 'M0 0H40L48 8V44H0Z',
  shed: 'M5 13.5 43 4.5V11.5L28 15V23.5H40.5V33H43V39H5V33H7.5V23.5H20V16.9L5 20.5ZM11.5 27.5V33H20V27.5ZM28 27.5V33H36.5V27.5Z',
} as const
