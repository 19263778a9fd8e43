; SPDX-License-Identifier: GPL-3.0-or-later
;
; A sheet with small copies of the pictures in a folder, for looking over many results:
;
;   gimp-console -id --quit --batch-interpreter=plug-in-script-fu-eval \
;     -b '(begin (load "files.scm") (load "contact-sheet.scm")
;                (contact-sheet "results" "sheet.png" 5 200))'
;
; The last two numbers are the columns, and the sides of the squares
; into which the pictures fit, in pixels.  The names are below the pictures, unless GIMP was started
; without fonts (-f).

(define sheet-gap 8)        ; between the pictures, in pixels
(define sheet-letters 12)   ; the height of the names

; a copy of the file, as large as fits into a square, in its middle
(define (add-picture sheet path left top size)
  (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE path)))
         (width (car (gimp-image-get-width image)))
         (height (car (gimp-image-get-height image)))
         (scale (min 1 (/ size (max width height))))
         (new-width (max 1 (round (* width scale))))
         (new-height (max 1 (round (* height scale)))))
    (single-layer image)
    (if (not (= (car (gimp-image-get-base-type image)) RGB))
        (gimp-image-convert-rgb image))
    (if (not (= (car (gimp-image-get-precision image)) (car (gimp-image-get-precision sheet))))
        (gimp-image-convert-precision image (car (gimp-image-get-precision sheet))))
    (if (< scale 1)
        (gimp-image-scale image new-width new-height))
    (let ((copy (car (gimp-layer-new-from-drawable (car (gimp-image-flatten image)) sheet))))
      (gimp-image-insert-layer sheet copy 0 0)
      (gimp-layer-set-offsets copy
                              (+ left (quotient (- size new-width) 2))
                              (+ top (quotient (- size new-height) 2))))
    (gimp-image-delete image)))

(define (add-name sheet name left top size)
  (let ((text (car (gimp-text-layer-new sheet name (car (gimp-context-get-font))
                                        sheet-letters UNIT-PIXEL))))
    (gimp-image-insert-layer sheet text 0 0)
    (gimp-text-layer-set-color text "black")
    (gimp-text-layer-resize text
                            (min (car (gimp-drawable-get-width text)) size)
                            (car (gimp-drawable-get-height text)))
    (gimp-layer-set-offsets text
                            (+ left (quotient (- size (car (gimp-drawable-get-width text))) 2))
                            top)))

(define (contact-sheet folder result most-columns size)
  (let* ((names (list-pictures folder))
         (named (> (vector-length (car (gimp-fonts-get-list ""))) 0))
         (across (+ size sheet-gap))
         (down (+ size sheet-gap (if named (+ sheet-letters sheet-gap) 0)))
         (columns (min most-columns (length names)))
         (rows (quotient (+ (length names) columns -1) columns))
         (sheet (car (gimp-image-new (+ sheet-gap (* columns across))
                                     (+ sheet-gap (* rows down)) RGB)))
         (paper (car (gimp-layer-new sheet "paper" (car (gimp-image-get-width sheet))
                                     (car (gimp-image-get-height sheet)) RGB-IMAGE 100
                                     LAYER-MODE-NORMAL))))
    (gimp-image-insert-layer sheet paper 0 0)
    (gimp-drawable-fill paper FILL-WHITE)
    (let next ((number 0) (rest names))
      (if (pair? rest)
          (let ((left (+ sheet-gap (* (modulo number columns) across)))
                (top (+ sheet-gap (* (quotient number columns) down))))
            (add-picture sheet (string-append folder "/" (car rest)) left top size)
            (if named (add-name sheet (car rest) left (+ top size) size))
            (next (+ number 1) (cdr rest)))))
    (gimp-image-flatten sheet)
    (gimp-file-save RUN-NONINTERACTIVE sheet result)
    (gimp-image-delete sheet)
    (display (string-append (number->string (length names)) " pictures\n"))))
