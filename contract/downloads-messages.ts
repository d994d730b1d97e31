/** The texts of the download page (SPEC §2.7), letter for letter. */
export const DOWNLOADS = {
  heading: 'Full Client Download',
  prompt: 'Please choose one of the download links.',
  fullGuide: 'Full game guide',
  quickGuide: 'Quick game guide',
  requirements: 'System Requirement',
  columns: ['Item', 'Minimum', 'Recommended'],
  rows: [
    ['CPU', 'Pentium4 1GHz+', 'Core2 Duo 2.0GHz+'],
    ['RAM', '1GB+', '2GB+'],
    ['Graphics card', 'Geforce 6000+ or ATI Radeon X+', 'same'],
    ['Disk space', '3GB+', '4GB+'],
    ['DirectX', '9.0c+', '9.0+ with 3D effects'],
    ['Connection', 'broadband; 56K modem and Wifi not recommended', 'broadband ADSL+'],
    ['Operating system', 'Windows XP+', 'Windows 7+'],
  ],
  note: 'The specs are for one client. Multiple clients may lower performance.',
} as const
