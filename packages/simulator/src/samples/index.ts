/** What a simulated platform generates: pictures and clips, the same for the same prompt. */
export { clipOf, type Clip } from './clip.ts';
export { drawPicture, isAspectRatio, sizeOf, type AspectRatio } from './picture.ts';
