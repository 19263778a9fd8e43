; SPDX-License-Identifier: GPL-3.0-or-later
;
; The watershed in three dimensions of the slices in a folder:
;
;   gimp-console -idf --quit --batch-interpreter=plug-in-script-fu-eval \
;     -b '(begin (load "files.scm") (load "stack.scm")
;                (stack "slices" "cells" #:input "objects"))'
;
; The slices have one size; they are stacked in the order of their
; names (z01, z02 …).  Makes cells.xcf, the slices and above them a group with the lines;
; cells-numbers.xcf, the number of the basin of each pixel, a layer for each slice; and cells.csv, a
; line for each basin.  Further arguments are those of plug-in-wavefront-watershed.

; an image with a layer for each file, the first one lowest
(define (load-slices folder)
  (let* ((names (list-pictures folder))
         (image (car (gimp-file-load RUN-NONINTERACTIVE
                                     (string-append folder "/" (car names))))))
    (single-layer image)
    (for-each
     (lambda (name)
       (let ((other (car (gimp-file-load RUN-NONINTERACTIVE (string-append folder "/" name)))))
         (gimp-image-insert-layer image
                                  (car (gimp-layer-new-from-drawable (single-layer other) image))
                                  0 0)
         (gimp-image-delete other)))
     (cdr names))
    image))

(define (stack folder result . settings)
  (let* ((image (load-slices folder))
         (values (apply plug-in-wavefront-watershed
                        (append (list #:run-mode RUN-NONINTERACTIVE #:image image
                                      #:drawables (car (gimp-image-get-layers image))
                                      #:stack TRUE #:lines-layer TRUE #:basins-layer FALSE
                                      #:label-image TRUE
                                      #:table-file (string-append result ".csv"))
                                settings)))
         (numbers (list-ref values 4)))
    (gimp-file-save RUN-NONINTERACTIVE image (string-append result ".xcf"))
    (gimp-file-save RUN-NONINTERACTIVE numbers (string-append result "-numbers.xcf"))
    (gimp-image-delete image)
    (gimp-image-delete numbers)
    (display (string-append (number->string (list-ref values 2)) " basins\n"))))
