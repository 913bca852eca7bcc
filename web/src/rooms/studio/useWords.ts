import { useSpeech } from "../../i18n";
import { studioWords, type StudioWords } from "./words";

export const useStudioWords = (): StudioWords => studioWords[useSpeech().lang];
